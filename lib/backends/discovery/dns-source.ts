import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import type { DnsSourceConfig } from '../../config/config.ts'
import { baseUrl, bounded, LookupError, type LookupResult, MAX_BACKENDS, type Rank, type Source } from './source.ts'

/** Timeout and tries of one query to one server. */
const TIMEOUT_MS = 2000
const TRIES = 2
/** Names of SRV records that are resolved at the same time. */
const MAX_RESOLVING = 16

/** Codes of c-ares. */
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

/** Addresses of names that always mean this machine (RFC 6761, section 6.3). */
const LOOPBACK = { A: '127.0.0.1', AAAA: '::1' } as const

/** The backends at the addresses of a DNS name. c-ares waits for sockets, so that no thread is blocked. */
export class DnsSource implements Source {
  readonly #config: DnsSourceConfig
  #resolver: Resolver | undefined

  constructor(config: DnsSourceConfig) {
    this.#config = config
  }

  async lookup(): Promise<LookupResult> {
    const { name, servers } = this.#config
    try {
      const names = servers === undefined ? await searchNames(name) : [name]
      return await firstOf(names, full => this.#resolve(full))
    } catch (error) {
      // The system's DNS servers may have changed.
      this.#resolver = undefined
      throw error
    }
  }

  close(): void {
    this.#resolver?.cancel()
  }

  async #resolve(name: string): Promise<LookupResult> {
    const { type } = this.#config
    return type === 'SRV' ? this.#services(name) : this.#addresses(name, type)
  }

  async #addresses(name: string, type: 'A' | 'AAAA'): Promise<LookupResult> {
    const records = await this.#query(name, type)
    if (records.length === 0) throw Object.assign(new Error(), { code: 'ENODATA' })
    const addresses = bounded(records.map(({ address }) => address))
    return {
      urls: addresses.map(address => baseUrl(this.#config, address, this.#config.port)),
      total: new Set(records.map(({ address }) => address)).size,
      ttlMs: minTtlMs(records),
    }
  }

  async #services(name: string): Promise<LookupResult> {
    const records = await this.#open().resolveSrv(name)
    // A target of `.` means that the service does not exist (RFC 2782).
    const services = records.filter(({ name, port }) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) && port > 0)
    const ranks = ranksOf(services)
    const servers = services.map(record => ({
      server: `${record.name.toLowerCase()} ${record.port}`,
      rank: ranks.get(record)!,
    }))
    const total = new Set(servers.map(({ server }) => server)).size
    const used = firstByRank(servers)
    // Certificates are issued for names.
    if (this.#config.scheme === 'https') return resultOf(this.#withUrls(used), total, null)
    const resolved: (RankedServer & { readonly ttl: number })[] = []
    for (let at = 0; at < used.length; at += MAX_RESOLVING) {
      const part = used.slice(at, at + MAX_RESOLVING).map(async ({ server, rank }) => {
        const [name, port] = server.split(' ') as [string, string]
        for (const { address, ttl } of await this.#target(name))
          resolved.push({ server: `${address} ${port}`, rank, ttl })
      })
      await Promise.all(part)
    }
    const distinct = new Set(resolved.map(({ server }) => server)).size
    return resultOf(this.#withUrls(firstByRank(resolved)), Math.max(total, distinct), minTtlMs(resolved))
  }

  /** Replaces host and port by the base URL. */
  #withUrls(servers: readonly RankedServer[]): RankedServer[] {
    return servers.map(({ server, rank }) => {
      const [host, port] = server.split(' ') as [string, string]
      return { server: baseUrl(this.#config, host, Number(port)), rank }
    })
  }

  /** Addresses of one SRV target. A missing name has none. Any other failure fails the lookup. */
  async #target(name: string): Promise<readonly Address[]> {
    for (const type of ['A', 'AAAA'] as const) {
      try {
        const records = await this.#query(name, type)
        if (records.length > 0) return records
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    }
    return []
  }

  #query(name: string, type: 'A' | 'AAAA'): Promise<readonly Address[]> {
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

/** The result for the first name that exists. A failure of a server takes precedence over a missing name. */
async function firstOf(
  names: readonly string[],
  resolve: (name: string) => Promise<LookupResult>,
): Promise<LookupResult> {
  let worst: unknown
  for (const name of names) {
    try {
      return await resolve(name)
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

function minTtlMs(records: readonly Pick<Address, 'ttl'>[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl)) * 1000
}

// ------------------------------------------------------------ priorities and weights of SRV records (RFC 2782)

/** `server`: host and port separated by a space, or the base URL. */
interface RankedServer {
  readonly server: string
  readonly rank: Rank
}

/** Distinct servers with their best rank. If there are too many, those of the first priorities, in sorted order. */
function firstByRank(servers: readonly RankedServer[]): readonly RankedServer[] {
  const distinct = new Map<string, RankedServer>()
  for (const one of servers) {
    const known = distinct.get(one.server)
    if (known === undefined || one.rank.priority < known.rank.priority) distinct.set(one.server, one)
  }
  const inOrder = [...distinct.values()].sort(
    (a, b) => a.rank.priority - b.rank.priority || (a.server < b.server ? -1 : 1),
  )
  return inOrder.slice(0, MAX_BACKENDS)
}

function resultOf(servers: readonly RankedServer[], total: number, ttlMs: number | null): LookupResult {
  const ranks = new Map(servers.map(({ server, rank }) => [server, rank]))
  const urls = [...ranks.keys()].sort()
  const areDifferent = ranks.values().some(({ priority, weight }) => priority !== 0 || weight !== 1)
  return areDifferent ? { urls, total, ttlMs, ranks } : { urls, total, ttlMs }
}

/** Relative weight of a record with weight 0 among others: "a very small chance of being selected". */
const MIN_WEIGHT = 0.01

/** The rank of each record, numbered from 0, because priorities are not comparable with those of other sources. */
function ranksOf<R extends { readonly priority: number; readonly weight: number }>(
  records: readonly R[],
): ReadonlyMap<R, Rank> {
  const order = [...new Set(records.map(({ priority }) => priority))].sort((a, b) => a - b)
  const ranks = new Map<R, Rank>()
  for (const [index, priority] of order.entries()) {
    const group = records.filter(record => record.priority === priority)
    const mean = group.reduce((sum, { weight }) => sum + weight, 0) / group.length
    for (const record of group)
      ranks.set(record, { priority: index, weight: mean === 0 ? 1 : Math.max(MIN_WEIGHT, record.weight / mean) })
  }
  return ranks
}

// ------------------------------------------------------------ search domains

const RESOLV_CONF = '/etc/resolv.conf'

const MAX_DOMAINS = 6

/** Full names that the system's resolver tries, in order (resolv.conf(5)): c-ares queries a name as it is. */
export async function searchNames(name: string, file = RESOLV_CONF): Promise<readonly string[]> {
  if (name.endsWith('.')) return [name]
  const { domains, ndots } = parse(await readFile(file, 'utf8').catch(() => ''))
  const below = domains.map(domain => `${name}.${domain}`)
  return name.split('.').length - 1 >= ndots ? [name, ...below] : [...below, name]
}

function parse(text: string): { readonly domains: readonly string[]; readonly ndots: number } {
  let domains: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/)
    // The last of these lines counts.
    if (keyword === 'search' || keyword === 'domain')
      domains = values.map(domain => domain.replace(/\.$/, '')).filter(domain => domain !== '')
    if (keyword !== 'options') continue
    for (const option of values) {
      const [, dots] = /^ndots:(\d{1,2})$/.exec(option) ?? []
      if (dots !== undefined) ndots = Number(dots)
    }
  }
  return { domains: domains.slice(0, MAX_DOMAINS), ndots }
}
