import { expect } from 'chai'
import { sendWebhook } from '../../../lib/base/webhook.ts'
import { SECRET, startReceiver } from '../../support/receiver.ts'

describe('webhooks', () => {
  it('are signed, and fail unless the receiver answers with 2xx', async () => {
    const receiver = await startReceiver()
    const seconds = Math.floor(Date.now() / 1000)
    const send = () => sendWebhook(receiver.url, SECRET, { id: 'msg_1', body: '{"type":"a","data":{}}' }, seconds)
    receiver.answers.push(302, 200)
    expect(await send().catch(error => error.message)).equal('status 302')
    await send()
    expect(receiver.deliveries.map(({ id, isSigned }) => [id, isSigned])).deep.equal([
      ['msg_1', true],
      ['msg_1', true],
    ])
    await receiver.close()
  })
})
