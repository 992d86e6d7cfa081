import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import { probeSeed, probeStop, probeText, probeTopK } from '../../../../lib/engines/probe/text.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

const TEXT = 'POST /v1/completions'
const CHAT = 'POST /v1/chat/completions'
const refused = { status: 400, body: { error: { message: 'no' } } }
const said = (content: string) => ({ body: { choices: [{ message: { content } }] } })

describe('engines/probe/text', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the members that an engine applies and not only accepts', async () => {
    for (const [engine, members] of [
      ['vllm', ['echo']],
      ['sglang', ['echo']],
      ['llama.cpp', []],
    ] as const) {
      const { root } = await simulatorWith({ engine })
      expect(await probeText(sessionWith(root, engine)), engine).deep.equal(members)
    }
  })

  it('recognises a suffix by the number of prompt tokens; otherwise, and for best_of, the profile decides', async () => {
    const counted = (prompt_tokens: number): Json => ({ choices: [{ text: 'x' }], usage: { prompt_tokens } })
    const server = (suffixed: Json) =>
      stubServer({
        [TEXT]: ({ suffix }) => ({ body: suffix === undefined ? counted(5) : suffixed }),
      })
    expect(await probeText(sessionWith(await server(counted(25)), 'openai'))).deep.equal(['suffix', 'best_of'])
    expect(await probeText(sessionWith(await server(counted(5)), 'openai'))).deep.equal(['best_of'])
    const silent = await stubServer({ [TEXT]: { body: { choices: [{ text: 'x' }] } } })
    expect(await probeText(sessionWith(silent, 'openai'))).deep.equal(['suffix', 'best_of'])
    expect(await probeText(sessionWith(silent, 'vllm'))).deep.equal([])
  })

  it('reports a server without the route as not supporting it', async () => {
    expect(await probeText(sessionWith(await stubServer({ [TEXT]: refused }), 'openai'))).deep.equal([])
  })

  it('reads the limit of stop strings from the refusal of too many', async () => {
    expect(await probeStop(sessionWith((await simulatorWith({ engine: 'vllm' })).root))).equal(4)
    expect(await probeStop(sessionWith((await simulatorWith({ engine: 'sglang' })).root, 'sglang'))).equal(null)
    expect(await probeStop(sessionWith(await stubServer({ [CHAT]: refused })))).equal(4)
  })

  it('finds which top_k means all tokens', async () => {
    expect(await probeTopK(sessionWith((await simulatorWith()).root))).equal(0)
    expect(await probeTopK(sessionWith(await stubServer({ [CHAT]: refused }), 'sglang'))).equal(-1)
  })

  it('reports that a seed is ignored if equal requests get different replies', async () => {
    const fixed = sessionWith(await stubServer({ [CHAT]: said('same') }), 'sglang')
    await probeSeed(fixed)
    expect(fixed.notes).deep.equal([])
    let replies = 0
    const random = sessionWith(await stubServer({ [CHAT]: () => said(String(replies++)) }), 'sglang')
    await probeSeed(random)
    expect(random.notes).deep.equal(['Ignores `seed`. Start SGLang with --enable-deterministic-inference.'])
  })
})
