import { createHmac } from 'node:crypto'
import type { Backend } from '../../backends/backend.ts'
import { type After, afterTimeout } from '../../backends/health/prober.ts'
import type { Clock } from '../../base/clock.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'
import { decodeMessage, encodeMessage, type SharedBackend } from './message.ts'

/** Changes within this time after a message are sent together. A later change is sent at once. */
const BATCH_MS = 5
/** A load that does not change is sent again after this time, to show that this process is alive. */
const REPEAT_MS = 500
/** The load of a process that sends no message for this time is dropped. */
const SILENT_MS = 2000
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
  readonly after?: After
}

/** Exchanges with other processes which prompts were sent to which backends, and the loads of backends. */
export class Sharing {
  readonly #options: SharingOptions
  /** Backends by id; null: they have changed. */
  #byId: ReadonlyMap<string, RoutedBackend> | null = null
  readonly #ids = new WeakMap<Backend, string>()
  /** Backends of the next message, with the prompts that were sent to them. */
  readonly #changed = new Map<RoutedBackend, Int32Array[]>()
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
  placed(routed: RoutedBackend, { hashes, isPrivate }: Prompt): void {
    const prompts = this.changed(routed)
    if (!isPrivate && hashes.length > 0) prompts.push(hashes)
  }

  /** The load of this backend has changed. Returns its prompts for the next message. */
  changed(routed: RoutedBackend): Int32Array[] {
    let prompts = this.#changed.get(routed)
    if (prompts !== undefined) return prompts
    if (this.#changed.size === 0) this.#schedule(Math.max(0, this.#sentAt + BATCH_MS - this.#options.clock.monotonic()))
    prompts = []
    this.#changed.set(routed, prompts)
    return prompts
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
    for (const routed of this.#busy) if (!this.#changed.has(routed)) this.#changed.set(routed, [])
    const backends = Array.from(this.#changed, ([{ backend, load }, prompts]): SharedBackend => {
      const { headAt, begunSum, ...own } = load.own(now)
      const headAgeMs = Math.max(0, now - headAt)
      const answersMs = Math.max(0, own.answers * now - begunSum)
      return { id: this.#idOf(backend), load: { ...own, headAgeMs, answersMs }, prompts: bounded(prompts) }
    })
    this.#busy = [...this.#changed.keys()].filter(({ load }) => load.own(now).promptTokens > 0)
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
      for (const { load } of this.#options.backends()) load.setRemote(process, undefined, now)
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

function apply(routed: RoutedBackend, process: string, { load: shared, prompts }: SharedBackend, now: number): void {
  const { backend, load, index } = routed
  // A backend that is down loses its cache. The other process may not know it yet.
  if (backend.health.state === 'up') for (const hashes of prompts) index.insert(hashes, now)
  const { headAgeMs, answersMs, ...rest } = shared
  const remote = { ...rest, headAt: now - headAgeMs, begunSum: shared.answers * now - answersMs }
  load.setRemote(process, shared.promptTokens === 0 ? undefined : remote, now)
}

/** The last prompts, up to the limit of a message. */
function bounded(prompts: readonly Int32Array[]): readonly Int32Array[] {
  let words = 0
  let first = prompts.length
  while (first > 0 && words + prompts[first - 1]!.length <= MAX_WORDS) words += prompts[--first]!.length
  return prompts.slice(first)
}
