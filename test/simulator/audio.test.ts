import { expect } from 'chai'
import { FORM_TYPE, formBuffer } from '../support/audio.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/audio/transcriptions'

describe('simulator/audio', () => {
  afterEach(closeSimulators)

  const asked = async (engine: 'vllm' | 'llama.cpp' | 'sglang', ...fields: readonly (readonly [string, string])[]) => {
    const { root } = await simulatorWith({ engine, models: [{ id: 'up' }] })
    const body = formBuffer({ before: [['model', 'up'], ...fields], bytes: 64_000 })
    const response = await fetch(root + PATH, { method: 'POST', headers: { 'content-type': FORM_TYPE }, body })
    return { status: response.status, text: await response.text() }
  }

  it('counts seconds like vLLM, and tokens like llama.cpp', async () => {
    const text = 'Simulated words of 64000 bytes in a.wav'
    expect(JSON.parse((await asked('vllm')).text)).deep.equal({ text, usage: { type: 'duration', seconds: 2 } })
    const usage = { type: 'tokens', input_tokens: 50, output_tokens: 7, total_tokens: 57 }
    expect(JSON.parse((await asked('llama.cpp')).text)).deep.equal({ type: 'transcript.text.done', text, usage })
    expect((await asked('vllm', ['response_format', 'text'])).text).equal(`${text}\n`)
    expect((await asked('sglang')).status).equal(404)
  })

  it('streams with usage if requested', async () => {
    const plain = await asked('vllm', ['stream', 'true'])
    expect(plain.text)
      .match(/data: \[DONE\]\n\n$/)
      .not.contain('usage')
    const counted = await asked('vllm', ['stream', 'true'], ['stream_include_usage', 'true'])
    expect(counted.text).contain('"usage":{"prompt_tokens":100,')
  })

  it('refuses a body that is no form with a file', async () => {
    const { post, root } = await simulatorWith({ models: [{ id: 'up' }] })
    expect((await post(PATH, { model: 'up' })).status).equal(400)
    const body = formBuffer({ before: [['model', 'up']] })
    const response = await fetch(root + PATH, { method: 'POST', headers: { 'content-type': FORM_TYPE }, body })
    expect(response.status).equal(400)
  })
})
