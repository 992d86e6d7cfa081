import { expect } from 'chai'
import { ProbeClient } from '../../../../lib/engines/probe/client.ts'
import { chat, closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, deadAddress, stubServer } from '../../../support/stub.ts'

describe('engines/probe/client', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('has the URL without the version prefix, and counts requests', async () => {
    const { root } = await simulatorWith()
    const client = new ProbeClient(`${root}/v1`)
    expect(client.root).equal(root)
    expect((await client.get(`${client.root}/version`)).body).deep.equal({ version: '0.29.0' })
    await client.get(`${client.base}/models`)
    expect(client.requests).equal(2)
  })

  it('reads JSON as a body and a stream as events', async () => {
    const { root } = await simulatorWith()
    const client = new ProbeClient(`${root}/v1`)
    const whole = await client.post(`${client.base}/chat/completions`, chat('x'))
    expect(whole.body).property('choices')
    expect(whole.events).deep.equal([])
    const streamed = await client.post(`${client.base}/chat/completions`, chat('x', { stream: true, max_tokens: 2 }))
    expect(streamed.body).equal(undefined)
    // `[DONE]` is not JSON.
    expect(streamed.events).lengthOf(3)
  })

  it('returns status 0 and a sentence if there is no response', async () => {
    const { root } = await simulatorWith()
    const client = new ProbeClient(`${root}/v1`)
    const dropped = await client.post(`${client.base}/chat/completions`, chat('simulate: drop'))
    expect(dropped).deep.include({ status: 0, events: [] })
    expect(dropped.problem).match(/closed the connection before it answered/)
    const dead = new ProbeClient(`${await deadAddress()}/v1`)
    expect((await dead.get(dead.base)).problem).match(/^Nothing listens at/)
  })

  it('waits no longer than its timeout', async () => {
    const root = await stubServer({ 'GET /v1/models': undefined })
    const client = new ProbeClient(`${root}/v1`, { timeoutMs: 50 })
    expect((await client.get(`${root}/v1/models`)).problem).match(/gave no answer within 1 s\.$/)
  })

  it('rejects if it is aborted', async () => {
    const root = await stubServer({ 'GET /v1/models': undefined })
    const client = new ProbeClient(`${root}/v1`, { signal: AbortSignal.abort(new Error('enough')) })
    const error = await client.get(`${root}/v1/models`).catch((reason: unknown) => reason)
    expect(error).property('message', 'enough')
  })
})
