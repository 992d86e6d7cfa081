import { expect } from 'chai'
import { redisChannel } from '../../../../lib/routing/sharing/channel.ts'
import { eventually } from '../../../support/gateway.ts'
import { useRedis } from '../../../support/services.ts'

describe('redisChannel', () => {
  const url = useRedis()

  it('sends messages to all processes with the same secret, and to no other', async () => {
    const heard: Record<string, string[]> = { a: [], b: [], other: [] }
    const channels = Object.entries({ a: 'one secret', b: 'one secret', other: 'another' }).map(([name, secret]) =>
      redisChannel(url(), secret, message => heard[name]!.push(message)),
    )
    try {
      await eventually(() => {
        channels[0]!.publish('hello')
        return heard.b!.includes('hello') && heard.a!.includes('hello')
      }, 'heard')
      expect(heard.other).deep.equal([])
    } finally {
      for (const channel of channels) channel.close()
    }
  })

  it('loses messages while Redis is unavailable, and does not wait', () => {
    const channel = redisChannel('redis://127.0.0.1:1', 'secret', () => {})
    channel.publish('lost')
    channel.close()
  })
})
