import { createHmac } from 'node:crypto'
import { parseRedisUrl } from '../../config/redis-address.ts'
import { createClient } from '../../limits/redis/client.ts'

/** Carries messages between processes. */
export interface Channel {
  /** Sends a message to the other processes. Does not wait, and may lose the message. */
  publish(message: string): void
  close(): void
}

/**
 * A Redis channel of all processes with this secret. It has two connections of its own, because a connection that
 * subscribes accepts no other command, and limits must not wait behind messages. While Redis is unavailable, messages
 * are lost.
 */
export function redisChannel(url: string, secret: string, receive: (message: string) => void): Channel {
  const address = parseRedisUrl(url)
  const name = `sluiceway:routing:${createHmac('sha256', secret).update('routing channel').digest('hex').slice(0, 16)}`
  const publisher = createClient(address)
  const subscriber = createClient(address)
  subscriber.on('message', (_channel, message) => receive(message))
  // Subscribes after each reconnect, because a subscription fails without a connection.
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
