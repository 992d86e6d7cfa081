/** Server-sent events that announce new requests to a page. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Streams of one session at the same time. A further stream ends the oldest. */
const MAX_PER_SESSION = 2
/** Streams of all sessions in this process. */
const MAX_STREAMS = 200
/** Duration of a stream. Then the browser connects again, so that a shutdown need not wait longer. */
const LIFE_MS = 15_000
const PAUSE_MS = 2000

/** Resolves with the id of the newest request; undefined: the page may not be shown any more. */
type ReadNewest = () => Promise<string | undefined>

export class LiveStreams {
  readonly #pauseMs: number
  readonly #lifeMs: number
  readonly #open = new Map<string, AbortController[]>()
  #count = 0

  /** `pauseMs`: time between two reads. `lifeMs`: duration of a stream. */
  constructor(pauseMs = PAUSE_MS, lifeMs = LIFE_MS) {
    this.#pauseMs = pauseMs
    this.#lifeMs = lifeMs
  }

  /**
   * A stream that sends `changed` when `readNewest` resolves with another id than before. `shown`: the newest id on the
   * page. `gone`: the browser has disconnected. undefined: there are too many streams.
   */
  open(session: string, readNewest: ReadNewest, gone: AbortSignal, shown: string): Readable | undefined {
    const own = this.#open.get(session) ?? []
    if (own.length >= MAX_PER_SESSION) own.shift()!.abort()
    else if (this.#count >= MAX_STREAMS) return undefined
    const end = new AbortController()
    this.#open.set(session, [...own, end])
    this.#count++
    const signal = AbortSignal.any([end.signal, gone])
    const reads = Math.ceil(this.#lifeMs / this.#pauseMs)
    const stream = Readable.from(events(readNewest, signal, shown, this.#pauseMs, reads))
    stream.once('close', () => {
      end.abort()
      this.#count--
      const others = (this.#open.get(session) ?? []).filter(one => one !== end)
      if (others.length === 0) this.#open.delete(session)
      else this.#open.set(session, others)
    })
    return stream
  }
}

async function* events(
  readNewest: ReadNewest,
  signal: AbortSignal,
  shown: string,
  pauseMs: number,
  reads: number,
): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  let last = shown
  for (let i = 0; i < reads; i++) {
    const newest = await readNewest()
    if (newest === undefined) return
    // Browsers send the last id when they connect again.
    if (newest !== last) yield `event: changed\nid: ${newest}\ndata: ${newest}\n\n`
    else yield ': nothing new\n\n'
    last = newest
    try {
      await sleep(pauseMs, undefined, { signal })
    } catch {
      return
    }
  }
}
