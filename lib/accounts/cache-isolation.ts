import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

/** Hex digits of a salt: 128 bits. */
const SALT_DIGITS = 32

/** Salts, HMACs of account ids, that keep a tenant's prompts out of other tenants' prefix caches (docs/adr/0045). */
export class CacheIsolation {
  readonly #mode: Config['cache_isolation']
  readonly #key: string

  /** `key`: the secret that all gateways in front of the same engines share. */
  constructor(mode: Config['cache_isolation'], key: string) {
    this.#mode = mode
    this.#key = key
  }

  /** `cache_salt` of a request; undefined: it uses the shared cache. `zdr`: zero data retention is required. */
  saltOf(account: string, zdr: boolean): string | undefined {
    if (this.#mode === 'off' || (this.#mode === 'zdr' && !zdr)) return undefined
    return createHmac('sha256', this.#key).update(`cache_salt ${account}`).digest('hex').slice(0, SALT_DIGITS)
  }
}

/** The isolation of a configuration. Throws if gatewaySecret() does. */
export function cacheIsolation(config: Config): CacheIsolation {
  const { cache_isolation: mode } = config
  return new CacheIsolation(mode, mode === 'off' ? '' : gatewaySecret(config))
}

/** The configured key, or one in the journal's directory that is created on first use. Throws if that fails. */
export function gatewaySecret({
  cache_isolation_key,
  journal,
}: Pick<Config, 'cache_isolation_key' | 'journal'>): string {
  return cache_isolation_key ?? storedKey(journal)
}

function storedKey(directory: string): string {
  const file = join(directory, 'cache-isolation.key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // link() is atomic and fails if the file exists: processes that start at once get the same key.
    const temporary = join(directory, `${randomUUID()}.tmp`)
    writeFileSync(temporary, randomBytes(32).toString('hex'), { mode: 0o600 })
    try {
      linkSync(temporary, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(temporary, { force: true })
    }
    return readFileSync(file, 'utf8')
  }
}
