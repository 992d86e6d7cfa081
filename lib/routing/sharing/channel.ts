import { createHmac } from 'node:crypto'
import type { Logger } from 'pino'
import { parseRedisUrl } from '../../config/redis-address.ts'
import { createClient } from '../../limits/redis/client.ts'

/** Carries messages between processes. */
export interface Channel {
  /** Sends a message to the other processes. Does not wait, and may lose the message. */
  publish(message: string): void
  close(): void
}

interface RedisChannel extends Channel {
  /** Remarks for operators. */
  notes(): readonly string[]
}

interface RedisChannelOptions {
  readonly url: string
  readonly secret: string
  readonly log: Logger
  receive(message: string): void
}

/** How often a process announces its key. One that is not announced for three times as long is forgotten. */
const ANNOUNCE_MS = 10_000

const OTHER_KEY =
  'other gateways at this Redis have another cache_isolation_key, or none: they do not share what routing knows'

/**
 * A Redis channel of all processes with this secret. It has two connections of its own, because a connection that
 * subscribes accepts no other command, and limits must not wait behind messages. While Redis is unavailable, messages
 * are lost.
 *
 * The channel's name is a keyed hash. All processes of a database announce theirs, so that another key is noticed.
 */
export function redisChannel({ url, secret, log, receive }: RedisChannelOptions): RedisChannel {
  const address = parseRedisUrl(url)
  const name = `sluiceway:routing:${createHmac('sha256', secret).update('routing channel').digest('hex').slice(0, 16)}`
  const announcements = `sluiceway:routing:keys:${address.db}`
  const publisher = createClient(address)
  const subscriber = createClient(address)
  const publish = (channel: string, message: string) => void publisher.publish(channel, message).catch(() => {})
  let isSubscribed = false
  const announce = () => {
    if (isSubscribed) publish(announcements, name)
  }
  /** Set while another key is in use. */
  let forgetting: NodeJS.Timeout | undefined
  const announced = (other: string) => {
    if (other === name) return
    if (forgetting === undefined) {
      log.warn(OTHER_KEY)
      // The other process may be new: it learns of this key without waiting for the timer.
      announce()
    }
    clearTimeout(forgetting)
    forgetting = setTimeout(() => {
      forgetting = undefined
      log.info('all gateways at this Redis have the same cache_isolation_key')
    }, 3 * ANNOUNCE_MS).unref()
  }
  subscriber.on('message', (channel, message) => (channel === name ? receive(message) : announced(message)))
  // Subscribes after each reconnect, because a subscription fails without a connection.
  subscriber.on('ready', () => {
    const subscribed = subscriber.subscribe(name, announcements).then(() => {
      isSubscribed = true
      announce()
    })
    subscribed.catch(() => {})
  })
  publisher.on('ready', announce)
  for (const client of [publisher, subscriber]) void client.connect().catch(() => {})
  const timer = setInterval(announce, ANNOUNCE_MS).unref()
  return {
    publish: message => publish(name, message),
    notes: () => (forgetting === undefined ? [] : [OTHER_KEY]),
    close() {
      clearInterval(timer)
      clearTimeout(forgetting)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
