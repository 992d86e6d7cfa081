import { Resolver } from 'node:dns/promises'
import type { DnsSourceConfig } from '../../config/config.ts'
import { searchNames } from './search-names.ts'
import { baseUrl, bounded, type Found, LookupError, MOST_FOUND, type Source } from './source.ts'
import { isTelling, type Rank, ranksOf } from './srv-ranks.ts'

/** Of one question to one server. */
const TIMEOUT_MS = 2000
const TRIES = 2
/** Servers of SRV records whose addresses are asked for at the same time. */
const MOST_ASKED = 16

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
    const services = records.filter(({ name, port }) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) && port > 0)
    const ranks = ranksOf(services)
    const places = services.map(record => ({
      place: `${record.name.toLowerCase()} ${record.port}`,
      rank: ranks.get(record)!,
    }))
    const total = new Set(places.map(({ place }) => place)).size
    const taken = firstByRank(places)
    // Certificates are of names.
    if (this.#config.scheme === 'https') return foundOf(this.#based(taken), total, null)
    const found: { readonly place: string; readonly rank: Rank; readonly ttl: number }[] = []
    for (let at = 0; at < taken.length; at += MOST_ASKED) {
      const part = taken.slice(at, at + MOST_ASKED).map(async ({ place, rank }) => {
        const [name, port] = place.split(' ') as [string, string]
        const records = await this.#target(name)
        for (const { address, ttl } of records) found.push({ place: `${address} ${port}`, rank, ttl })
      })
      await Promise.all(part)
    }
    const several = new Set(found.map(({ place }) => place)).size
    return foundOf(this.#based(firstByRank(found)), Math.max(total, several), shortest(found))
  }

  #based(places: readonly Place[]): Place[] {
    return places.map(({ place, rank }) => {
      const [host, port] = place.split(' ') as [string, string]
      return { place: baseUrl(this.#config, host, Number(port)), rank }
    })
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

/** A server with its rank. `place`: host and port, or its base URL. */
interface Place {
  readonly place: string
  readonly rank: Rank
}

/** Each place once, with its best rank; of too many, those of the first priorities, in the order of their text. */
function firstByRank(places: readonly Place[]): readonly Place[] {
  const byPlace = new Map<string, Place>()
  for (const one of places) {
    const known = byPlace.get(one.place)
    if (known === undefined || one.rank.priority < known.rank.priority) byPlace.set(one.place, one)
  }
  const inOrder = [...byPlace.values()].sort(
    (a, b) => a.rank.priority - b.rank.priority || (a.place < b.place ? -1 : 1),
  )
  return inOrder.slice(0, MOST_FOUND)
}

function foundOf(places: readonly Place[], total: number, ttlMs: number | null): Found {
  const ranks = new Map(places.map(({ place, rank }) => [place, rank]))
  const urls = [...ranks.keys()].sort()
  return isTelling(ranks.values()) ? { urls, total, ttlMs, ranks } : { urls, total, ttlMs }
}

function shortest(records: readonly Pick<Address, 'ttl'>[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl)) * 1000
}
