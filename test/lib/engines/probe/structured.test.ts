import { expect } from 'chai'
import { isObject, type JsonObject } from '../../../../lib/base/json.ts'
import { probeStructured } from '../../../../lib/engines/probe/structured.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

function saying(content: string) {
  return { body: { choices: [{ message: { content } }] } }
}

describe('engines/probe/structured', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the members of each engine for constraints', async () => {
    const found = async (engine: 'vllm' | 'sglang' | 'llama.cpp') => {
      const { root } = await simulatorWith({ engine, reasoning_by_default: false })
      // The behaviour of the server decides, not its configured engine.
      return probeStructured(sessionWith(root, 'openai'))
    }
    const all = { structured_outputs: true, regex: true, grammar: true }
    expect(await found('vllm')).deep.equal({ structured: 'structured_outputs', ...all })
    expect(await found('sglang')).deep.equal({ structured: 'sglang', ...all })
    expect(await found('llama.cpp')).deep.equal({ structured: 'llama.cpp', ...all, regex: false })
  })

  it('detects a server that accepts constraints and ignores them', async () => {
    const root = await stubServer({ 'POST /v1/chat/completions': saying('Hello') })
    const none = { structured: 'response_format_only', structured_outputs: false, regex: false, grammar: false }
    expect(await probeStructured(sessionWith(root))).deep.equal(none)
  })

  it('accepts a matching beginning, because the reply may be cut', async () => {
    const answer = ({ structured_outputs: wish, response_format: format }: JsonObject) => {
      if (format !== undefined) return saying('{"zq": 1')
      return saying(isObject(wish) && wish.grammar !== undefined ? 'zq1' : 'Hello')
    }
    const root = await stubServer({ 'POST /v1/chat/completions': answer })
    const expected = { structured: 'structured_outputs', structured_outputs: true, regex: false, grammar: true }
    expect(await probeStructured(sessionWith(root))).deep.equal(expected)
  })
})
