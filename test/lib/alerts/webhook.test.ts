import { expect } from 'chai'
import { sendMessage, signatureOf } from '../../../lib/alerts/webhook.ts'
import { type Receiver, SECRET, startReceiver } from '../../support/receiver.ts'

describe('a message of a webhook', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())
  const message = { id: 'msg_1', body: '{"type":"x","data":{}}' }
  const now = () => Math.floor(Date.now() / 1000)

  it('is signed as the example of the specification', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
    expect(signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', example, 1_614_265_330)).equal(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('arrives with its id, a time and a signature that verifies', async () => {
    await sendMessage(receiver.url, SECRET, message, now())
    expect(receiver.deliveries).deep.equal([{ id: 'msg_1', isSigned: true, body: { type: 'x', data: {} } }])
  })

  it('does not verify with another secret', async () => {
    await sendMessage(receiver.url, `whsec_${'A'.repeat(32)}`, message, now())
    expect(receiver.deliveries[0]?.isSigned).equal(false)
  })

  it('has not arrived where the answer is no 2xx, or there is none', async () => {
    const failed = () => sendMessage(receiver.url, SECRET, message, now()).then(() => '', String)
    for (const status of [500, 429, 302, 404]) {
      receiver.answers.push(status)
      expect(await failed()).contain(`status ${status}`)
    }
    expect(receiver.deliveries).lengthOf(4)
    await receiver.close()
    expect(await failed()).contain('fetch failed')
  })
})
