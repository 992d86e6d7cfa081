import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Json } from '../../base/json.ts'
import type { FoundModel, ModelSourceConfig } from '../../config/config.ts'
import { isAllowed } from '../../config/discovered-models.ts'
import { type Discovery, describeCard, describeServer, listCards } from '../../engines/probe/discover.ts'
import { factsOf } from '../../engines/probe/findings.ts'
import { clientOf } from '../../engines/probe/inquiry.ts'
import { type ProbeResult, probeBackend } from '../../engines/probe/probe.ts'
import { DnsSource } from './dns-source.ts'

/** Timeout of one question to a server. */
const TIMEOUT_MS = 5000

/** How long a new model waits for its probe before it is served without. */
const PROBE_WAIT_MS = 8000

/** Timeout of a whole probe. */
const PROBE_MS = 60_000

/** A probe that fails is repeated with the next questions. */
const MAX_TRIES = 3

/** Probes at the same time. */
const MAX_PROBES = 4

/** A list with more, by mistake or by an attack, must not fill memory and metrics. */
const MAX_MODELS = 1000

/** Longer ids are not valid, and too long for a log. */
const MAX_ID = 200

const MAX_LOGGED = 20

interface Server {
  /** The described cards of its list, which tell whether it has changed. */
  readonly cards: Json
  readonly engine: Discovery['engine']
  readonly features: Discovery['features']
  readonly models: Discovery['models']
}

interface Probe {
  tries: number
  isRunning: boolean
  result: ProbeResult | undefined
}

interface WatchOptions {
  readonly log: Logger
  /** `found` has changed. */
  onChange(): void
  /** Its lists hold until the servers have answered. */
  readonly before: WatchedServers | undefined
}

/** The servers of one or more entries that ask the same servers in the same way. */
export class WatchedServers {
  /** Resolves when the servers were asked for the first time. */
  readonly first: Promise<void>
  readonly #log: Logger
  readonly #onChange: () => void
  readonly #dns: DnsSource | undefined
  readonly #abort = new AbortController()
  /** By base URL. The last list of a server holds while it does not answer. */
  readonly #servers: Map<string, Server>
  /** By id of the model. */
  readonly #probes: Map<string, Probe>
  /** New models that wait for their probes. */
  readonly #held = new Set<string>()
  /** By base URL, or `dns`: why it was not asked. */
  readonly #problems = new Map<string, string>()
  #sources: readonly ModelSourceConfig[]
  #found: readonly FoundModel[] = []
  /** undefined: the servers are being asked. */
  #timer: NodeJS.Timeout | undefined

  constructor(sources: readonly ModelSourceConfig[], { log, onChange, before }: WatchOptions) {
    const { source } = sources[0]!
    this.#sources = sources
    this.#log = log
    this.#onChange = onChange
    this.#dns = typeof source === 'string' ? undefined : new DnsSource(source)
    this.#servers = new Map(before?.servers)
    this.#probes = new Map(before?.probes)
    this.first = this.#round()
  }

  get found(): readonly FoundModel[] {
    return this.#found
  }

  get servers(): ReadonlyMap<string, Server> {
    return this.#servers
  }

  get probes(): ReadonlyMap<string, Probe> {
    return this.#probes
  }

  isSameAddress({ source }: ModelSourceConfig): boolean {
    return isDeepStrictEqual(source, this.#sources[0]!.source)
  }

  /** Applies other members of the entries. */
  update(sources: readonly ModelSourceConfig[]): void {
    if (isDeepStrictEqual(sources, this.#sources)) return
    this.#sources = sources
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    void this.#round()
  }

  notes(): readonly string[] {
    return Array.from(this.#problems.values(), problem => `model discovery: ${problem}`)
  }

  close(): void {
    this.#abort.abort()
    clearTimeout(this.#timer)
    this.#dns?.close()
  }

  /** Never rejects. */
  async #round(): Promise<void> {
    this.#timer = undefined
    const sources = this.#sources
    const urls = await this.#urls()
    for (const url of this.#servers.keys()) if (!urls.includes(url)) this.#servers.delete(url)
    for (const url of this.#problems.keys()) if (!urls.includes(url) && url !== 'dns') this.#problems.delete(url)
    await Promise.all(urls.map(url => this.#ask(url)))
    if (this.#abort.signal.aborted) return
    const probed = this.#probeNew()
    this.#publish()
    if (this.#held.size > 0) {
      await Promise.race([probed, sleep(PROBE_WAIT_MS, undefined, { ref: false })])
      this.#held.clear()
      this.#publish()
    }
    void probed.then(() => this.#publish())
    if (this.#abort.signal.aborted) return
    const everyMs = Math.min(...sources.map(({ everySeconds }) => everySeconds)) * 1000
    this.#timer = setTimeout(() => void this.#round(), sources === this.#sources ? everyMs : 0).unref()
  }

  async #urls(): Promise<readonly string[]> {
    const { source } = this.#sources[0]!
    if (typeof source === 'string') return [source]
    try {
      const { urls } = await this.#dns!.lookup()
      this.#note('dns', undefined)
      return urls
    } catch (error) {
      this.#failed('dns', error, this.#servers.size > 0)
      return [...this.#servers.keys()]
    }
  }

  async #ask(url: string): Promise<void> {
    const { backend } = this.#sources[0]!
    const client = clientOf({ ...backend, url }, { timeoutMs: TIMEOUT_MS, signal: this.#abort.signal })
    try {
      const cards = await listCards(client)
      const described = cards.map(describeCard)
      const isSame = isDeepStrictEqual(described, this.#servers.get(url)?.cards)
      if (!isSame) {
        const server = cards.length === 0 ? NO_MODELS : await describeServer(client, cards)
        this.#servers.set(url, { cards: described, ...server })
      }
      this.#note(url, cards.length > MAX_MODELS ? `${cards.length} are listed: only ${MAX_MODELS} are used` : undefined)
    } catch (error) {
      this.#failed(url, error, this.#servers.has(url))
    }
  }

  #failed(what: string, error: unknown, isKnown: boolean): void {
    const reason = (error as Error).message.replace(/\.$/, '')
    const kept = reason.endsWith('?') ? ' The last list is kept' : ': the last list is kept'
    this.#note(what, isKnown ? `${reason}${kept}` : reason)
  }

  #note(what: string, reason: string | undefined): void {
    if (this.#abort.signal.aborted) return
    const { name } = this.#sources[0]!
    const problem = reason === undefined ? undefined : `${name}: ${reason}`
    if (problem === this.#problems.get(what)) return
    if (problem === undefined) {
      this.#problems.delete(what)
      this.#log.info({ source: name }, 'model discovery works again')
    } else {
      this.#problems.set(what, problem)
      this.#log.warn({ source: name, problem }, 'model discovery')
    }
  }

  /** Resolves when all probes that it starts have ended. */
  async #probeNew(): Promise<void> {
    const listed = new Map(
      [...this.#servers].flatMap(([url, { models }]) => models.map(model => [model.id, { url, model }])),
    )
    for (const id of this.#probes.keys()) if (!listed.has(id)) this.#probes.delete(id)
    const known = new Set(this.#found.map(({ id }) => id))
    const waiting: (() => Promise<void>)[] = []
    for (const [id, { url, model }] of listed) {
      // A probe would load a model that is not loaded.
      if (model.loaded === false || !this.#sources.some(source => source.isProbed && isAllowed(source, id))) continue
      const probe = this.#probes.get(id) ?? { tries: 0, isRunning: false, result: undefined }
      if (probe.result !== undefined || probe.isRunning || probe.tries === MAX_TRIES) continue
      this.#probes.set(id, probe)
      probe.isRunning = true
      if (!known.has(id)) this.#held.add(id)
      waiting.push(() => this.#probe(id, url, probe))
    }
    const lanes = Array.from({ length: MAX_PROBES }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next()
    })
    await Promise.all(lanes)
  }

  async #probe(model: string, url: string, probe: Probe): Promise<void> {
    const { api_key: apiKey, headers, ...egress } = this.#sources[0]!.backend
    const signal = AbortSignal.any([AbortSignal.timeout(PROBE_MS), this.#abort.signal])
    try {
      probe.result = await probeBackend(url, { model, light: true, apiKey, headers, egress, signal })
    } catch (error) {
      if (!this.#abort.signal.aborted) {
        const problem = signal.aborted ? 'its probe took too long' : (error as Error).message
        this.#log.warn({ source: this.#sources[0]!.name, model, problem }, 'a discovered model cannot be probed')
      }
    } finally {
      probe.tries++
      probe.isRunning = false
      this.#held.delete(model)
    }
  }

  #publish(): void {
    if (this.#abort.signal.aborted) return
    const found = this.#list()
    if (isDeepStrictEqual(found, this.#found)) return
    const before = new Set(this.#found.map(({ id }) => id))
    const now = new Set(found.map(({ id }) => id))
    const [added, gone] = [[...now.difference(before)], [...before.difference(now)]]
    this.#found = found
    if (added.length + gone.length > 0) {
      const facts = { models: found.length, added: added.slice(0, MAX_LOGGED), gone: gone.slice(0, MAX_LOGGED) }
      this.#log.info({ source: this.#sources[0]!.name, ...facts }, 'models discovered')
    }
    this.#onChange()
  }

  /** The models of all servers, in the order of the servers. */
  #list(): readonly FoundModel[] {
    const { key } = this.#sources[0]!
    const found = new Map<string, FoundModel>()
    for (const [url, server] of [...this.#servers].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const model of server.models) {
        const { id } = model
        if (id.length > MAX_ID || this.#held.has(id) || !this.#sources.some(source => isAllowed(source, id))) continue
        const known = found.get(id)
        if (known === undefined && found.size === MAX_MODELS) continue
        const { urls, facts } = known ?? { urls: [], facts: factsOf(model, server, this.#probes.get(id)?.result) }
        found.set(id, { id, source: key, urls: [...new Set([...urls, url])], facts })
      }
    }
    return [...found.values()]
  }
}

const NO_MODELS = { engine: 'openai', features: {}, models: [] } as const
