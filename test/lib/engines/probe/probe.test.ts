import { expect } from 'chai'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { ProbeClient } from '../../../../lib/engines/probe/client.ts'
import { ProbeError } from '../../../../lib/engines/probe/discover.ts'
import { type ProbeOptions, probeBackend, versionOf } from '../../../../lib/engines/probe/probe.ts'
import type { SimulatedRequest, SimulatorOptions } from '../../../../simulator/options.ts'
import { at, closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

async function probed(options: SimulatorOptions, more: ProbeOptions = {}) {
  const { root } = await simulatorWith(options)
  return probeBackend(root, more)
}

const ALL = {
  n: true,
  grammar: true,
  regex: true,
  structured_outputs: true,
  tools: true,
  streaming_tools: true,
  preserve_thinking: true,
  echo: true,
  suffix: false,
}

describe('engines/probe/probe', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('recognises vLLM: its profile is the built-in one, except for the efforts of newer versions', async () => {
    const { engine, engineVersion, profile, capabilities, notes, maxModelLen } = await probed({ engine: 'vllm' })
    expect({ engine, engineVersion, maxModelLen }).deep.equal({
      engine: 'vllm',
      engineVersion: '0.29.0',
      maxModelLen: 32_768,
    })
    const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
    expect(profile).deep.equal({ ...PROFILES.vllm, efforts })
    expect(capabilities).deep.equal({
      vision: false,
      tools: true,
      reasoning: true,
      reasoning_effort: { default: undefined },
      chat_completions: ALL,
      messages: { vision: false },
      responses: {},
      zdr: {},
    })
    expect(notes).deep.equal([])
  })

  it('recognises SGLang', async () => {
    const { engine, engineVersion, profile, capabilities } = await probed({ engine: 'sglang' })
    expect({ engine, engineVersion }).deep.equal({ engine: 'sglang', engineVersion: '0.5.19' })
    const efforts = ['none', 'low', 'medium', 'high', 'xhigh', 'max']
    expect(profile).deep.equal({ ...PROFILES.sglang, efforts, cached_null_means_zero: true })
    expect(capabilities.chat_completions).deep.equal(ALL)
  })

  it('recognises llama.cpp', async () => {
    const { engine, engineVersion, profile, capabilities, notes } = await probed({ engine: 'llama.cpp' })
    expect({ engine, engineVersion }).deep.equal({ engine: 'llama.cpp', engineVersion: 'b11669-simulated' })
    expect(profile).deep.equal(PROFILES['llama.cpp'])
    expect(capabilities).deep.include({ reasoning: true, tools: true })
    expect(capabilities.chat_completions).deep.equal({ ...ALL, regex: false, echo: false })
    expect(notes).deep.equal(['Reasons unless a request switches it off.'])
  })

  it('probes the requested model, and lists the others', async () => {
    const models = [{ id: 'a' }, { id: 'b', vision: true, reasoning: false, max_model_len: 2048 }]
    const found = await probed({ models }, { model: 'b' })
    expect(found).deep.include({ model: 'b', models: ['a', 'b'], maxModelLen: 2048 })
    expect(found.capabilities).deep.include({ vision: true, reasoning: false, messages: { vision: true } })
    expect(found.capabilities.chat_completions.preserve_thinking).equal(false)

    const error = await probed({ models }, { model: 'c' }).catch((reason: unknown) => reason)
    expect(error).instanceOf(ProbeError)
    expect(error)
      .property('message')
      .match(/has no model 'c'\. It has: a, b\.$/)
  })

  it('finds how a server differs from others of its engine', async () => {
    const { profile, notes } = await probed({
      thinking_kwarg: 'thinking',
      system_inline: true,
      developer_role: true,
      report_cached_tokens: false,
    })
    expect(profile).include({
      thinking_kwarg: 'thinking',
      system_inline: true,
      developer_role: true,
      cached_null_means_zero: false,
    })
    expect(notes).lengthOf(1)
    expect(notes[0]).match(/Cached tokens are not reported.*--enable-prompt-tokens-details/)
  })

  it('ignores reasoning that cannot be switched off', async () => {
    const { capabilities } = await probed({ models: [{ id: 'simulated', reasoning: 'always' }] })
    expect(capabilities.reasoning).equal('always')
    expect(capabilities.chat_completions).deep.equal(ALL)
  })

  it('sends few requests of few tokens, and reports how many', async () => {
    const seen: SimulatedRequest[] = []
    const steps: string[] = []
    const { requests } = await probed(
      { onRequest: request => seen.push(request) },
      { onStep: subject => steps.push(subject) },
    )
    expect(requests).within(20, 50)
    expect(seen.length).at.most(requests)
    const limits = seen
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ body }) => Number(at(body, 'max_tokens')))
    expect(Math.max(...limits)).at.most(64)
    expect(steps).include.members(['models', 'reasoning', 'tools'])
  })

  it('continues if single requests get no response', async () => {
    const root = await stubServer({
      'GET /v1/models': { body: { data: [{ id: 'm' }] } },
      'POST /v1/chat/completions': { body: { choices: [{ message: { content: 'Hello' } }] } },
      'GET /health': undefined,
      'POST /tokenize': undefined,
    })
    const { engine, profile, capabilities, maxModelLen, notes } = await probeBackend(root, { timeoutMs: 3000 })
    expect(engine).equal('openai')
    expect(maxModelLen).equal(undefined)
    expect(profile).include({
      tokenize: 'none',
      health_path: null,
      structured: 'response_format_only',
    })
    expect(profile.efforts).deep.equal([])
    expect(capabilities.reasoning).equal(false)
    expect(capabilities.chat_completions).include({ n: false, regex: false, grammar: false, structured_outputs: false })
    expect(notes.join(' ')).match(/Does not count prompt tokens/)
  })

  it('finds the version of SGLang on its newer and older route', async () => {
    for (const path of ['/server_info', '/get_server_info']) {
      const root = await stubServer({ [`GET ${path}`]: { body: { version: '0.5.19' } } })
      expect(await versionOf(new ProbeClient(`${root}/v1`))).equal('0.5.19')
    }
  })

  it('stops if a plain chat request fails', async () => {
    const root = await stubServer({
      'GET /v1/models': { body: { data: [{ id: 'm', owned_by: 'vllm' }] } },
      'POST /v1/chat/completions': { status: 500, body: { error: { message: 'no memory' } } },
    })
    const error = await probeBackend(root).catch((reason: unknown) => reason)
    expect(error).instanceOf(ProbeError)
    expect(error)
      .property('message')
      .match(/does not answer a plain chat request for 'm': 500: no memory$/)
  })
})
