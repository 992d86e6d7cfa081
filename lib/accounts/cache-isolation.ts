import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

/** Hex digits of a salt: 128 bits. */
const SALT_DIGITS = 32

/**
 * Salts that keep accounts apart in the prefix caches of engines: on a shared GPU the time to the first token tells one
 * tenant what another has asked (docs/adr/0045). A salt is the HMAC of the account's id, so that it says nothing about it.
 */
export class CacheIsolation {
  readonly #mode: Config['cache_isolation']
  readonly #key: string

  /** `key`: the secret of all gateways in front of the same engines. */
  constructor(mode: Config['cache_isolation'], key: string) {
    this.#mode = mode
    this.#key = key
  }

  /** `cache_salt` of a request; undefined: it shares the cache. `zdr`: zero data retention is required. */
  saltOf(account: string, zdr: boolean): string | undefined {
    if (this.#mode === 'off' || (this.#mode === 'zdr' && !zdr)) return undefined
    return createHmac('sha256', this.#key).update(`cache_salt ${account}`).digest('hex').slice(0, SALT_DIGITS)
  }
}

/**
 * The isolation of a configuration. Without a key in it, the one in the directory of the journal is used, which all processes
 * there share and which outlives them; it is made where there is none. Throws where it can be neither read nor written.
 */
export function cacheIsolation(config: Config): CacheIsolation {
  const { cache_isolation: mode } = config
  return new CacheIsolation(mode, mode === 'off' ? '' : gatewaySecret(config))
}

/** The secret that all gateways in front of the same engines have in common, where the configuration has one. */
export function gatewaySecret({ cache_isolation_key, journal }: Config): string {
  return cache_isolation_key ?? storedKey(journal)
}

function storedKey(directory: string): string {
  const file = join(directory, 'cache-isolation.key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A link appears with its content, and only the first one stays: processes that start together agree.
    const made = join(directory, `${randomUUID()}.tmp`)
    writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 })
    try {
      linkSync(made, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(made, { force: true })
    }
    return readFileSync(file, 'utf8')
  }
}
