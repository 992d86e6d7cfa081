/** The fleet: all gateways of one store. Each writes a snapshot of itself every few seconds, and reads the others'. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type ListedBackend, listBackends, type SeenBackend } from '../../backends/backend-list.ts'
import type { Clock } from '../../base/clock.ts'
import { hourly } from '../../base/hourly.ts'
import { parseJson } from '../../base/json.ts'
import { within } from '../../base/timeout.ts'
import { expireGateways, type GatewayRow, otherGateways, putGateway, removeGateway } from '../../store/gateways.ts'
import type { Store } from '../../store/store.ts'
import { type LivePeriod, sumPeriods } from './counts.ts'

const EVERY_MS = 5000
/** A gateway without a new snapshot for this time is lost. */
const STALE_MS = 15_000
/** After this time, a lost gateway is forgotten. */
const EXPIRY_MS = 120_000
/** Age up to which a result of the store is used again. */
const REUSE_MS = 2000
const WAIT_MS = 1000
/** Periods in a snapshot, so that a late snapshot or a late read loses none. */
const MAX_PERIODS = 3

/** What a gateway knows of itself. */
export interface GatewayFacts {
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Ids of the processes that serve clients. */
  readonly pids: readonly number[]
  /** Reasons why the gateway is not ready; empty: it is ready. */
  readonly unready: readonly string[]
}

export interface ListedGateway {
  /** Name of the machine, with the process id if the machine has several gateways. */
  readonly machine: string
  readonly version: string
  readonly started: string
  readonly ready: boolean
  readonly unready: readonly string[]
  readonly workers: readonly { readonly pid: number }[]
  readonly seen_at: string
  /** It does not answer any more. */
  readonly stale: boolean
}

interface Snapshot extends GatewayFacts {
  readonly machine: string
  readonly pid: number
  readonly backends: readonly SeenBackend[]
  /** The last periods, oldest first. */
  readonly periods: readonly LivePeriod[]
  /** Number of periods since the start. */
  readonly periodCount: number
}

interface Gateway {
  readonly snapshot: Snapshot
  /** Monotonic milliseconds. */
  readonly seenAt: number
  /** Periods that periods() has not returned. */
  readonly waiting: LivePeriod[]
}

interface FleetOptions {
  /** null: this gateway is shown alone. */
  readonly store: Store | null
  readonly clock: Clock
  readonly log: Logger
  readonly everyMs?: number
  facts(): GatewayFacts
  /** The backends as this gateway sees them. */
  backends(): Promise<readonly SeenBackend[]>
  /** The counts of each process of this gateway since the last call. */
  periods(): Promise<readonly LivePeriod[]>
}

export class Fleet {
  readonly #options: FleetOptions
  readonly #id = randomUUID()
  readonly #machine = hostname()
  #periods: readonly LivePeriod[] = []
  #periodCount = 0
  #others: ReadonlyMap<string, Gateway> = new Map()
  #reading: Promise<void> = Promise.resolve()
  #readAt = Number.NEGATIVE_INFINITY
  #end: (() => Promise<void>) | undefined

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Shows this gateway to the others from now on. */
  start(): void {
    const { store, log, everyMs = EVERY_MS } = this.#options
    if (store === null) return
    let isFailing = false
    const write = async () => {
      await store.prepare()
      await putGateway(store, this.#id, JSON.stringify(this.#own(await this.#options.backends())))
      await expireGateways(store, EXPIRY_MS)
      isFailing = false
    }
    const onError = (err: unknown) => {
      if (!isFailing) log.warn({ err }, 'the state of this gateway cannot be stored: other machines show it as lost')
      isFailing = true
    }
    this.#end = hourly(write, onError, everyMs)
  }

  /** The backends of all gateways. Those of this one are current. */
  async backends(): Promise<ListedBackend[]> {
    const [own] = await Promise.all([this.#options.backends(), this.#read()])
    const all = this.#all(own)
    return listBackends(
      all.map(gateway => ({
        machine: nameOf(gateway, all),
        isStale: this.#isStale(gateway),
        backends: gateway.snapshot.backends,
      })),
    )
  }

  /** This gateway is the first. */
  async gateways(): Promise<ListedGateway[]> {
    await this.#read()
    const all = this.#all([])
    return all.map(gateway => {
      const { version, startedAt, unready, pids } = gateway.snapshot
      return {
        machine: nameOf(gateway, all),
        version,
        started: isoOf(startedAt),
        ready: unready.length === 0,
        unready,
        workers: pids.map(pid => ({ pid })),
        seen_at: isoOf(this.#options.clock.now() - this.#ageOf(gateway)),
        stale: this.#isStale(gateway),
      }
    })
  }

  /** The counts since the last call. Only one caller may use it, at the pace of the snapshots. */
  async periods(): Promise<LivePeriod[]> {
    const own = sumPeriods(await this.#options.periods())
    this.#periods = [...this.#periods, own].slice(-MAX_PERIODS)
    this.#periodCount++
    await this.#read()
    // One period of each, because two calls may meet two snapshots of a gateway and the next one none.
    const others = Array.from(this.#others.values(), ({ waiting }) =>
      onceNow(waiting.splice(0, Math.max(1, waiting.length - 1))),
    )
    return [own, ...others.flat()]
  }

  async end(): Promise<void> {
    const { store } = this.#options
    if (store === null || this.#end === undefined) return
    await this.#end()
    await within(WAIT_MS, 'the store does not answer', removeGateway(store, this.#id)).catch(() => {})
  }

  #own(backends: readonly SeenBackend[]): Snapshot {
    return {
      ...this.#options.facts(),
      machine: this.#machine,
      pid: process.pid,
      backends,
      periods: this.#periods,
      periodCount: this.#periodCount,
    }
  }

  /** Never rejects. If the store does not answer, the last snapshots stay. */
  #read(): Promise<void> {
    const { store, clock } = this.#options
    const now = clock.monotonic()
    if (store !== null && now - this.#readAt >= REUSE_MS) {
      this.#readAt = now
      const read = otherGateways(store.reader, this.#id).then(rows => this.#apply(rows))
      this.#reading = within(WAIT_MS, 'the store does not answer', read).catch(() => {})
    }
    return this.#reading
  }

  #apply(rows: readonly GatewayRow[]): void {
    const before = this.#others
    const now = this.#options.clock.monotonic()
    this.#others = new Map(
      rows.map(({ id, snapshot: text, ageMs }) => {
        const snapshot = parseJson(text) as unknown as Snapshot
        return [id, { snapshot, seenAt: now - ageMs, waiting: waitingOf(snapshot, before.get(id)) }]
      }),
    )
  }

  /** This gateway with these backends, and the others by machine. */
  #all(backends: readonly SeenBackend[]): Gateway[] {
    const own = { snapshot: this.#own(backends), seenAt: this.#options.clock.monotonic(), waiting: [] }
    const known = [own, ...this.#others.values()].filter(gateway => this.#ageOf(gateway) <= EXPIRY_MS)
    const live = new Set(known.filter(one => !this.#isStale(one)).map(({ snapshot }) => snapshot.machine))
    const [, ...others] = known
    const shown = others
      // A gateway that has been started again is not lost.
      .filter(gateway => !this.#isStale(gateway) || !live.has(gateway.snapshot.machine))
      .toSorted((a, b) => (a.snapshot.machine < b.snapshot.machine ? -1 : 1))
    return [own, ...shown]
  }

  #isStale(gateway: Gateway): boolean {
    return this.#ageOf(gateway) > STALE_MS
  }

  #ageOf({ seenAt }: Gateway): number {
    return this.#options.clock.monotonic() - seenAt
  }
}

/** Of several periods of a gateway, the last one has its spare capacity and its queues. */
function onceNow(periods: readonly LivePeriod[]): LivePeriod[] {
  return periods.map((period, at) => (at < periods.length - 1 ? { ...period, spare: [], queues: [] } : period))
}

/** The periods that are new since the last snapshot of a gateway. */
function waitingOf({ periods, periodCount }: Snapshot, before: Gateway | undefined): LivePeriod[] {
  if (before === undefined) return []
  const fresh = Math.min(periodCount - before.snapshot.periodCount, periods.length)
  return [...before.waiting, ...periods.slice(periods.length - fresh)].slice(-MAX_PERIODS)
}

function nameOf({ snapshot: { machine, pid } }: Gateway, all: readonly Gateway[]): string {
  const isOnly = all.filter(({ snapshot }) => snapshot.machine === machine).length === 1
  return isOnly ? machine : `${machine} (${pid})`
}

function isoOf(millis: number): string {
  return new Date(millis).toISOString()
}
