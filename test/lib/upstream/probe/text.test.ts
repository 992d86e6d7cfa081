import { expect } from 'chai'
import { probeText } from '../../../../lib/upstream/probe/text.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

describe('upstream/probe/text', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('distinguishes engines that repeat the prompt from those that ignore `echo`', async () => {
    for (const [engine, echo] of [
      ['vllm', true],
      ['llama.cpp', false],
    ] as const) {
      const { root } = await simulatorWith({ engine })
      expect(await probeText(sessionWith(root, engine))).deep.equal({ echo, suffix: false })
    }
  })

  it('reports a server without the route as not supporting it', async () => {
    const root = await stubServer({ 'POST /v1/completions': { status: 404, body: { error: { message: 'no' } } } })
    expect(await probeText(sessionWith(root))).deep.equal({ echo: false, suffix: false })
  })
})
