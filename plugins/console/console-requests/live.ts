/** Tells a page that there is something new, as server-sent events. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Streams of one session at a time: further ones end the oldest. */
const MOST_OF_SESSION = 2
/** Streams of all sessions in this process. */
export const MOST_STREAMS = 200
/** The connection is closed after this time and the browser connects again: a process that ends need not wait longer for its pages. */
const LIFE_MS = 15_000
const PAUSE_MS = 2000

/** The name of what is newest; undefined: the page may not be shown any more. */
export type Look = () => Promise<string | undefined>

export class LiveStreams {
  readonly #open = new Map<string, AbortController[]>()
  #count = 0

  /**
   * A stream that says `changed` whenever `look` tells something else than before, `shown` at first. undefined: there are too
   * many. `gone` is aborted when the browser goes away. Times can be shortened for tests.
   */
  open(
    session: string,
    look: Look,
    gone: AbortSignal,
    shown: string,
    pauseMs = PAUSE_MS,
    lifeMs = LIFE_MS,
  ): Readable | undefined {
    const own = this.#open.get(session) ?? []
    if (own.length >= MOST_OF_SESSION) own.shift()!.abort()
    else if (this.#count >= MOST_STREAMS) return undefined
    const end = new AbortController()
    this.#open.set(session, [...own, end])
    this.#count++
    const signal = AbortSignal.any([end.signal, gone])
    const stream = Readable.from(events(look, signal, shown, pauseMs, Math.ceil(lifeMs / pauseMs)))
    stream.once('close', () => {
      end.abort()
      this.#count--
      const left = (this.#open.get(session) ?? []).filter(one => one !== end)
      if (left.length === 0) this.#open.delete(session)
      else this.#open.set(session, left)
    })
    return stream
  }

  get count(): number {
    return this.#count
  }
}

async function* events(
  look: Look,
  signal: AbortSignal,
  shown: string,
  pauseMs: number,
  times: number,
): AsyncGenerator<string> {
  yield 'retry: 1000\n\n'
  let seen = shown
  for (let i = 0; i < times; i++) {
    const newest = await look()
    if (newest === undefined) return
    // Browsers send the last id when they connect again.
    if (newest !== seen) yield `event: changed\nid: ${newest}\ndata: ${newest}\n\n`
    else yield ': nothing new\n\n'
    seen = newest
    try {
      await sleep(pauseMs, undefined, { signal })
    } catch {
      return
    }
  }
}
