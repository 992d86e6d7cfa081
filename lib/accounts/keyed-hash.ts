import { createHmac } from 'node:crypto'
import { gatewaySecret } from './cache-isolation.ts'

/** Hex digits of a hash: 64 bits. */
const DIGITS = 16

/** Replaces a text of a client, such as the name of an end user, where it is kept. Equal texts have equal hashes. */
export type KeyedHash = (account: string, value: string) => string

/**
 * HMAC with the secret that the gateways in front of the same engines share (`cache_isolation_key`). The secret is read
 * at the first use, because it may have to be created. Throws if gatewaySecret() does.
 */
export function keyedHash(config: Parameters<typeof gatewaySecret>[0]): KeyedHash {
  let secret: string | undefined
  return (account, value) => {
    secret ??= gatewaySecret(config)
    return createHmac('sha256', secret)
      .update(JSON.stringify([account, value]))
      .digest('hex')
      .slice(0, DIGITS)
  }
}
