import { Resolver } from 'node:dns/promises'
import type { DnsSourceConfig } from '../../config/config.ts'
import { searchNames } from './search-names.ts'
import { baseUrl, bounded, type Found, LookupError, type Source } from './source.ts'

/** Of one question to one server. */
const TIMEOUT_MS = 2000
const TRIES = 2

/** The codes of c-ares. */
const MISSING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist (NXDOMAIN)',
  ENODATA: 'the name has no records of this type',
  ESERVFAIL: 'the DNS server failed (SERVFAIL)',
  EREFUSED: 'the DNS server refuses to answer (REFUSED)',
  ETIMEOUT: 'the DNS server does not answer in time',
  ECONNREFUSED: 'the DNS server cannot be reached',
  EBADRESP: 'the answer of the DNS server is malformed',
}

interface Address {
  readonly address: string
  readonly ttl: number
}

/** Names that always mean this machine (RFC 6761, section 6.3). */
const LOOPBACK = { A: '127.0.0.1', AAAA: '::1' } as const

/** The backends at the addresses of a name. Nothing of it blocks: c-ares waits for sockets, and not in a thread. */
export class DnsSource implements Source {
  readonly #config: DnsSourceConfig
  #resolver: Resolver | undefined

  constructor(config: DnsSourceConfig) {
    this.#config = config
  }

  async look(): Promise<Found> {
    const { name, servers } = this.#config
    try {
      const names = servers === undefined ? await searchNames(name) : [name]
      return await firstOf(names, full => this.#find(full))
    } catch (error) {
      // The servers of the system may have changed.
      this.#resolver = undefined
      throw error
    }
  }

  close(): void {
    this.#resolver?.cancel()
  }

  async #find(name: string): Promise<Found> {
    const { type } = this.#config
    return type === 'SRV' ? this.#services(name) : this.#addresses(name, type)
  }

  async #addresses(name: string, type: 'A' | 'AAAA'): Promise<Found> {
    const records = await this.#resolve(name, type)
    if (records.length === 0) throw Object.assign(new Error(), { code: 'ENODATA' })
    const addresses = bounded(records.map(({ address }) => address))
    return {
      urls: addresses.map(address => baseUrl(this.#config, address, this.#config.port)),
      total: new Set(records.map(({ address }) => address)).size,
      ttlMs: shortest(records),
    }
  }

  async #services(name: string): Promise<Found> {
    const records = await this.#open().resolveSrv(name)
    // A target of `.` says that there is no such service (RFC 2782).
    const all = records
      .filter(({ name, port }) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) && port > 0)
      .map(({ name, port }) => `${name.toLowerCase()} ${port}`)
    const services = bounded(all).map(service => service.split(' ') as [name: string, port: string])
    const total = new Set(all).size
    // Certificates are of names.
    if (this.#config.scheme === 'https')
      return { urls: services.map(([name, port]) => baseUrl(this.#config, name, Number(port))), total, ttlMs: null }
    const found = await Promise.all(
      services.map(async ([name, port]) => ({ port: Number(port), records: await this.#target(name) })),
    )
    const urls = found.flatMap(({ port, records }) =>
      records.map(({ address }) => baseUrl(this.#config, address, port)),
    )
    const several = new Set(urls).size
    return {
      urls: bounded(urls),
      total: Math.max(total, several),
      ttlMs: shortest(found.flatMap(({ records }) => records)),
    }
  }

  /** Addresses of one server. One whose name is gone is none; any other failure is one of the whole answer. */
  async #target(name: string): Promise<readonly Address[]> {
    for (const type of ['A', 'AAAA'] as const) {
      try {
        const records = await this.#resolve(name, type)
        if (records.length > 0) return records
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    }
    return []
  }

  #resolve(name: string, type: 'A' | 'AAAA'): Promise<readonly Address[]> {
    if (/^(.+\.)?localhost\.?$/i.test(name)) return Promise.resolve([{ address: LOOPBACK[type], ttl: 3600 }])
    return this.#open()[type === 'A' ? 'resolve4' : 'resolve6'](name, { ttl: true })
  }

  #open(): Resolver {
    if (this.#resolver === undefined) {
      this.#resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
      if (this.#config.servers !== undefined) this.#resolver.setServers(this.#config.servers)
    }
    return this.#resolver
  }
}

/** What the first name has that exists. A server that fails at one name must not make another one look missing. */
async function firstOf(names: readonly string[], find: (name: string) => Promise<Found>): Promise<Found> {
  let worst: unknown
  for (const name of names) {
    try {
      return await find(name)
    } catch (error) {
      if (worst === undefined || isMissing(worst)) worst = error
    }
  }
  const code = codeOf(worst)
  throw new LookupError(PROBLEMS[code] ?? `the name cannot be looked up (${code})`)
}

function isMissing(error: unknown): boolean {
  return MISSING.has(codeOf(error))
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

function shortest(records: readonly Address[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl)) * 1000
}
