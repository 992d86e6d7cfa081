import { expect } from 'chai'
import { probeReasoning } from '../../../../lib/engines/probe/reasoning.ts'
import type { SimulatorOptions } from '../../../../simulator/options.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

const EFFORTS = ['none', 'low', 'medium', 'high', 'xhigh', 'max']

async function found(options: SimulatorOptions) {
  const session = sessionWith((await simulatorWith(options)).root)
  return { ...(await probeReasoning(session)), notes: session.notes }
}

describe('engines/probe/reasoning', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the switch', async () => {
    expect(await found({})).deep.equal({
      reasoning: true,
      thinking_kwarg: 'enable_thinking',
      efforts: EFFORTS,
      notes: [],
    })
    expect(await found({ thinking_kwarg: 'thinking' })).deep.include({ reasoning: true, thinking_kwarg: 'thinking' })
  })

  it('reports that reasoning is on by default', async () => {
    const { reasoning, notes } = await found({ reasoning_by_default: true })
    expect(reasoning).equal(true)
    expect(notes).deep.equal(['Reasons unless a request switches it off.'])
  })

  it('distinguishes a model that always reasons from one that never does', async () => {
    const always = await found({ models: [{ id: 'simulated', reasoning: 'always' }] })
    expect(always).deep.include({ reasoning: 'always', thinking_kwarg: null })
    const never = await found({ models: [{ id: 'simulated', reasoning: false }] })
    expect(never).deep.include({ reasoning: false, thinking_kwarg: undefined })
  })

  it('concludes that a server which accepts an unknown effort does not read it', async () => {
    expect((await found({ engine: 'llama.cpp' })).efforts).deep.equal([])
    expect((await found({ engine: 'sglang' })).efforts).deep.equal(['none', 'low', 'medium', 'high', 'xhigh', 'max'])
  })

  it('detects that the chat template reads an effort that the server does not validate', async () => {
    const server = await stubServer({
      'POST /v1/chat/completions': ({ reasoning_effort: effort }) => ({
        body: { choices: [], usage: { prompt_tokens: 10 + String(effort ?? '').length } },
      }),
    })
    expect(await probeReasoning(sessionWith(server))).deep.include({ efforts: ['low', 'medium', 'high'] })
  })

  it('finds a model that is switched by the effort alone', async () => {
    const reasons = (on: boolean) => ({ choices: [{ delta: on ? { reasoning: 'hm' } : { content: 'hi' } }] })
    const server = (isOn: (effort: unknown) => boolean) =>
      stubServer({
        'POST /v1/chat/completions': ({ reasoning_effort: effort }) => ({ events: [reasons(isOn(effort))] }),
      })
    const onUnlessNone = await probeReasoning(sessionWith(await server(effort => effort !== 'none')))
    expect(onUnlessNone).deep.include({ reasoning: true, thinking_kwarg: null, efforts: ['none'] })
    const onWhenHigh = await probeReasoning(sessionWith(await server(effort => effort === 'high')))
    expect(onWhenHigh).deep.include({ reasoning: true, thinking_kwarg: null })
  })

  it('reports reasoning in the text', async () => {
    const answer = { events: [{ choices: [{ delta: { content: '<think>hm' } }] }] }
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': answer }))
    expect((await probeReasoning(session)).reasoning).equal(false)
    expect(session.notes.join(' ')).match(/start the server with its reasoning parser/)
  })
})
