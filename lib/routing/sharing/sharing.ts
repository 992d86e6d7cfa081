import { createHmac } from 'node:crypto'
import type { Backend } from '../../backends/backend.ts'
import { type After, afterTimeout } from '../../backends/health/prober.ts'
import type { Clock } from '../../base/clock.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'
import { decodeMessage, encodeMessage, type SharedBackend } from './message.ts'

/** Changes within this time after a message are sent together; the first one later is sent at once. */
const GATHER_MS = 5
/** A load that does not change is sent again, so that the others know that this process is alive. */
const REPEAT_MS = 500
/** The load of a process without messages for this long is dropped. */
const SILENT_MS = 2000
/** Most hashes of a backend in one message: 64 KB. Older ones are not sent. */
const MOST_WORDS = 16_384

export interface SharingOptions {
  readonly clock: Clock
  /** Unique among all processes. */
  readonly id: string
  /** Of all processes that share. */
  readonly secret: string
  /** All backends that are routed. */
  readonly backends: () => Iterable<RoutedBackend>
  /** Sends a text to all other processes. It never waits, and may lose it. */
  readonly publish: (message: string) => void
  readonly after?: After
}

/** Tells other processes which prompts went where, and what is under way; and takes the same from them. */
export class Sharing {
  readonly #options: SharingOptions
  /** By id, and when it was made (monotonic milliseconds). */
  #byId: ReadonlyMap<string, RoutedBackend> = new Map()
  #byIdAt = Number.NEGATIVE_INFINITY
  readonly #ids = new WeakMap<Backend, string>()
  /** Backends of the next message, with the prompts that were sent there. */
  readonly #changed = new Map<RoutedBackend, Int32Array[]>()
  /** Backends that were busy in the last message. */
  #busy: readonly RoutedBackend[] = []
  /** When the last message of each process came. */
  readonly #heard = new Map<string, number>()
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined
  #closed = false

  constructor(options: SharingOptions) {
    this.#options = options
  }

  /** A prompt has been sent to this backend. Hashes of private ones stay here. */
  placed(routed: RoutedBackend, { hashes, isPrivate }: Prompt): void {
    const prompts = this.changed(routed)
    if (!isPrivate && hashes.length > 0) prompts.push(hashes)
  }

  /** What is under way at this backend has changed. */
  changed(routed: RoutedBackend): Int32Array[] {
    let prompts = this.#changed.get(routed)
    if (prompts !== undefined) return prompts
    if (this.#changed.size === 0)
      this.#schedule(Math.max(0, this.#toldAt + GATHER_MS - this.#options.clock.monotonic()))
    prompts = []
    this.#changed.set(routed, prompts)
    return prompts
  }

  receive(text: string): void {
    const message = decodeMessage(text)
    if (message === undefined || message.from === this.#options.id) return
    const now = this.#options.clock.monotonic()
    this.#heard.set(message.from, now)
    for (const shared of message.backends) {
      const routed = this.#find(shared.id, now)
      if (routed !== undefined) take(routed, message.from, shared, now)
    }
    if (this.#cancelTimer === undefined) this.#schedule(REPEAT_MS)
  }

  close(): void {
    this.#closed = true
    this.#cancelTimer?.()
  }

  #schedule(ms: number): void {
    if (this.#closed) return
    this.#cancelTimer?.()
    this.#cancelTimer = (this.#options.after ?? afterTimeout)(ms, () => this.#tell())
  }

  #tell(): void {
    this.#cancelTimer = undefined
    const now = this.#options.clock.monotonic()
    // Busy ones are sent again, although nothing may have changed.
    for (const routed of this.#busy) if (!this.#changed.has(routed)) this.#changed.set(routed, [])
    const backends = Array.from(this.#changed, ([{ backend, load }, prompts]): SharedBackend => {
      const { queuedMs, firstMs, head, answers, promptTokens } = load.own(now)
      const headAgeMs = Math.max(0, now - head)
      return { id: this.#idOf(backend), queuedMs, firstMs, headAgeMs, answers, promptTokens, prompts: bounded(prompts) }
    })
    this.#busy = [...this.#changed.keys()].filter(({ load }) => load.own(now).promptTokens > 0)
    this.#changed.clear()
    if (backends.length > 0) {
      this.#toldAt = now
      this.#options.publish(encodeMessage({ from: this.#options.id, backends }))
    }
    this.#forgetSilent(now)
    if (this.#busy.length > 0 || this.#heard.size > 0) this.#schedule(REPEAT_MS)
  }

  #forgetSilent(now: number): void {
    for (const [process, at] of this.#heard) {
      if (now - at <= SILENT_MS) continue
      this.#heard.delete(process)
      for (const { load } of this.#options.backends()) load.setRemote(process, undefined)
    }
  }

  /** An id that is not known may be of a backend that was added meanwhile. */
  #find(id: string, now: number): RoutedBackend | undefined {
    const found = this.#byId.get(id)
    if (found !== undefined || now - this.#byIdAt < REPEAT_MS) return found
    this.#byId = new Map(Array.from(this.#options.backends(), routed => [this.#idOf(routed.backend), routed]))
    this.#byIdAt = now
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

function take({ load, index }: RoutedBackend, process: string, shared: SharedBackend, now: number): void {
  const { queuedMs, firstMs, headAgeMs, answers, promptTokens, prompts } = shared
  for (const hashes of prompts) index.insert(hashes, now)
  const isIdle = promptTokens === 0
  load.setRemote(process, isIdle ? undefined : { queuedMs, firstMs, head: now - headAgeMs, answers, promptTokens })
}

/** The last prompts, as many as a message may hold. */
function bounded(prompts: readonly Int32Array[]): readonly Int32Array[] {
  let words = 0
  let first = prompts.length
  while (first > 0 && words + prompts[first - 1]!.length <= MOST_WORDS) words += prompts[--first]!.length
  return prompts.slice(first)
}
