import { createHmac } from 'node:crypto'
import { parseRedisUrl } from '../../config/redis-address.ts'
import { createClient } from '../../limits/redis/client.ts'
import type { Channel } from './channel.ts'

/**
 * A channel of Redis that all processes with this secret use, over two connections of its own: one that subscribes
 * takes no other command, and limits must not wait behind messages. Gateways with another secret use another channel.
 * While Redis is away, messages are lost.
 */
export function redisChannel(url: string, secret: string, receive: (message: string) => void): Channel {
  const address = parseRedisUrl(url)
  const name = `sluiceway:routing:${createHmac('sha256', secret).update('routing channel').digest('hex').slice(0, 16)}`
  const publisher = createClient(address)
  const subscriber = createClient(address)
  subscriber.on('message', (_channel, message) => receive(message))
  // Not the first connection alone: an attempt to subscribe fails while there is none.
  subscriber.on('ready', () => void subscriber.subscribe(name).catch(() => {}))
  for (const client of [publisher, subscriber]) void client.connect().catch(() => {})
  return {
    publish: message => void publisher.publish(name, message).catch(() => {}),
    close() {
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
