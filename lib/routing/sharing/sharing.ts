import { createHmac } from 'node:crypto'
import type { Backend } from '../../backends/backend.ts'
import { type After, afterTimeout } from '../../backends/health/prober.ts'
import type { Clock } from '../../base/clock.ts'
import type { ProcessLoad } from '../backend-load.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'
import { decodeMessage, encodeMessage, type SharedBackend, type SharedLines, type SharedLoad } from './message.ts'

/** Changes within this time after a message are sent together. A later change is sent at once. */
const BATCH_MS = 5
/** A load that does not change is sent again after this time, to show that this process is alive. */
const REPEAT_MS = 500
/** The load of a process that sends no message for this time is dropped. */
const SILENT_MS = 2000
/** Maximum age of the last interactive request in a message. */
const MAX_AGE_MS = 3_600_000
/** Limit of the hashes per backend in one message, in words: 64 KB. Hashes of older prompts are not sent. */
const MAX_WORDS = 16_384

interface SharingOptions {
  readonly clock: Clock
  /** Unique among all processes. */
  readonly id: string
  /** The same in all processes that share. */
  readonly secret: string
  /** All backends of routing. */
  readonly backends: () => Iterable<RoutedBackend>
  /** Sends a message to the other processes. Does not wait, and may lose the message. */
  readonly publish: (message: string) => void
  /** Whether the process has batches. Default: it has none. */
  readonly hasLines?: () => boolean
  /** Another process needs the place of a line at this backend. */
  readonly onWanted?: (backend: Backend) => void
  readonly after?: After
}

/** Exchanges with other processes which prompts were sent to which backends, and the loads of backends. */
export class Sharing {
  readonly #options: SharingOptions
  /** Backends by id; null: they have changed. */
  #byId: ReadonlyMap<string, RoutedBackend> | null = null
  readonly #ids = new WeakMap<Backend, string>()
  /** Backends of the next message, with the prompts that were sent to them. */
  readonly #changed = new Map<RoutedBackend, NewPrompts>()
  /** Backends that had requests in flight in the last message. */
  #busy: readonly RoutedBackend[] = []
  /** When the last message of each process arrived. */
  readonly #receivedAt = new Map<string, number>()
  #sentAt = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined
  #isClosed = false

  constructor(options: SharingOptions) {
    this.#options = options
  }

  /** A prompt has been sent to this backend. Hashes of private prompts are not shared. */
  placed(routed: RoutedBackend, { hashes, isPrivate }: Prompt, isLine = false): void {
    const { requests, lines } = this.changed(routed)
    if (!isPrivate && hashes.length > 0) (isLine ? lines : requests).push(hashes)
  }

  /** The load of this backend has changed. Returns its prompts for the next message. */
  changed(routed: RoutedBackend): NewPrompts {
    let prompts = this.#changed.get(routed)
    if (prompts !== undefined) return prompts
    if (this.#changed.size === 0) this.#schedule(Math.max(0, this.#sentAt + BATCH_MS - this.#options.clock.monotonic()))
    prompts = { requests: [], lines: [] }
    this.#changed.set(routed, prompts)
    return prompts
  }

  /** Asks the process with the most lines at this backend to cancel one. */
  wantPlace({ backend, lines }: RoutedBackend): void {
    const process = lines.load.busiestRemote
    if (process === undefined) return
    const wanted = { id: this.#idOf(backend), process }
    this.#options.publish(encodeMessage({ from: this.#options.id, backends: [], wanted }))
  }

  /** Backends were added or removed. Messages about new ones count from now on. */
  backendsChanged(): void {
    this.#byId = null
  }

  receive(text: string): void {
    const message = decodeMessage(text)
    if (message === undefined || message.from === this.#options.id) return
    const now = this.#options.clock.monotonic()
    this.#receivedAt.set(message.from, now)
    for (const shared of message.backends) {
      const routed = this.#find(shared.id)
      if (routed !== undefined) apply(routed, message.from, shared, now)
    }
    const { wanted } = message
    const routed = wanted?.process === this.#options.id ? this.#find(wanted.id) : undefined
    if (routed !== undefined) this.#options.onWanted?.(routed.backend)
    if (this.#cancelTimer === undefined) this.#schedule(REPEAT_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return
    this.#cancelTimer?.()
    this.#cancelTimer = (this.#options.after ?? afterTimeout)(ms, () => this.#send())
  }

  #send(): void {
    this.#cancelTimer = undefined
    const now = this.#options.clock.monotonic()
    // Busy backends are repeated, even if their load has not changed.
    for (const routed of this.#busy)
      if (!this.#changed.has(routed)) this.#changed.set(routed, { requests: [], lines: [] })
    const hasLines = this.#options.hasLines?.() ?? false
    const backends = Array.from(
      this.#changed,
      ([routed, { requests, lines }]): SharedBackend => ({
        id: this.#idOf(routed.backend),
        load: sharedLoad(routed.load.own(now), now),
        prompts: bounded(requests),
        ...(hasLines && { lines: sharedLines(routed, lines, now) }),
      }),
    )
    this.#busy = [...this.#changed.keys()].filter(
      ({ load, lines }) => load.own(now).promptTokens + lines.load.own(now).promptTokens > 0,
    )
    this.#changed.clear()
    if (backends.length > 0) {
      this.#sentAt = now
      this.#options.publish(encodeMessage({ from: this.#options.id, backends }))
    }
    this.#forgetSilent(now)
    if (this.#busy.length > 0 || this.#receivedAt.size > 0) this.#schedule(REPEAT_MS)
  }

  #forgetSilent(now: number): void {
    for (const [process, at] of this.#receivedAt) {
      if (now - at <= SILENT_MS) continue
      this.#receivedAt.delete(process)
      for (const { load, lines } of this.#options.backends()) {
        load.setRemote(process, undefined, now)
        lines.setRemote(process, undefined, undefined, now)
      }
    }
  }

  #find(id: string): RoutedBackend | undefined {
    this.#byId ??= new Map(Array.from(this.#options.backends(), routed => [this.#idOf(routed.backend), routed]))
    return this.#byId.get(id)
  }

  #idOf(backend: Backend): string {
    let id = this.#ids.get(backend)
    if (id === undefined) {
      const { url, model } = backend.config
      id = createHmac('sha256', this.#options.secret)
        .update(`${backend.model}\n${url}\n${model}`)
        .digest('base64url')
        .slice(0, 12)
      this.#ids.set(backend, id)
    }
    return id
  }
}

/** Prompts that were sent to a backend since the last message. */
interface NewPrompts {
  readonly requests: Int32Array[]
  readonly lines: Int32Array[]
}

function sharedLoad({ headAt, begunSum, ...own }: ProcessLoad, now: number): SharedLoad {
  return {
    ...own,
    headAgeMs: Math.max(0, now - headAt),
    answersMs: Math.max(0, own.answers * now - begunSum),
  }
}

/** As of the clock of this process; undefined: nothing is in flight. */
function processLoad({ headAgeMs, answersMs, ...rest }: SharedLoad, now: number): ProcessLoad | undefined {
  if (rest.promptTokens === 0) return undefined
  return { ...rest, headAt: now - headAgeMs, begunSum: rest.answers * now - answersMs }
}

function sharedLines({ lines }: RoutedBackend, prompts: readonly Int32Array[], now: number): SharedLines {
  const { interactiveAt, ...effects } = lines.effects(now)
  const interactiveAgeMs = Math.min(MAX_AGE_MS, now - interactiveAt)
  return {
    load: sharedLoad(lines.load.own(now), now),
    effects: { ...effects, interactiveAgeMs },
    prompts: bounded(prompts),
  }
}

function apply(routed: RoutedBackend, process: string, shared: SharedBackend, now: number): void {
  const { backend, load, lines, index } = routed
  // A backend that is down loses its cache. The other process may not know it yet.
  if (backend.health.state === 'up') {
    for (const hashes of shared.prompts) index.insert(hashes, now)
    for (const hashes of shared.lines?.prompts ?? []) index.insert(hashes, now, true)
  }
  load.setRemote(process, processLoad(shared.load, now), now)
  if (shared.lines === undefined) return
  const { interactiveAgeMs, ...effects } = shared.lines.effects
  const interactiveAt = now - interactiveAgeMs
  lines.setRemote(process, processLoad(shared.lines.load, now), { ...effects, interactiveAt }, now)
}

/** The last prompts, up to the limit of a message. */
function bounded(prompts: readonly Int32Array[]): readonly Int32Array[] {
  let words = 0
  let first = prompts.length
  while (first > 0 && words + prompts[first - 1]!.length <= MAX_WORDS) words += prompts[--first]!.length
  return prompts.slice(first)
}
