import { expect } from 'chai'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

describe('simulator/reply', () => {
  afterEach(closeSimulators)

  it('answers with the status of the directive', async () => {
    const { post } = await simulatorWith()
    const limited = await post(PATH, chat('simulate: status=429 retry_after=7', { stream: true }))
    expect(limited.status).equal(429)
    expect(limited.headers.get('retry-after')).equal('7')
    expect(at(limited.json, 'error', 'code')).equal(429)
    expect((await post(PATH, chat('simulate: status=502 body=html'))).text).match(/^<html>/)
    expect((await post(PATH, chat('simulate: status=500 body=empty'))).text).equal('')
    const dropped = await post(PATH, chat('simulate: drop')).catch((error: unknown) => error)
    expect(dropped).instanceOf(TypeError)
  })

  it('can report a full queue inside a 200 with every engine', async () => {
    const { post } = await simulatorWith({ queue_full_in_stream: true })
    const full = await post(PATH, chat('simulate: queue_full', { stream: true }))
    expect(full.status).equal(200)
    expect(at(full.events[0], 'error', 'code')).equal(503)
    expect(full.events.at(-1)).equal('[DONE]')
  })
})
