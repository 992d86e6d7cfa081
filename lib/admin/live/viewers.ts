/** Open pages with live data. Each update is encoded once for all of them. Their number is bounded. */
import type { ServerResponse } from 'node:http'
import type { Dashboard, LiveUpdate } from './dashboard.ts'

/** Enough for all operators of a gateway with several windows each. */
const MAX_VIEWERS = 64
/** A connection with more unsent bytes is closed. Its browser connects again. */
const MAX_UNSENT_BYTES = 1_000_000
/** A stream ends after this time and the browser connects again, so streams end soon after their session. */
const MAX_STREAM_MS = 60_000

export class Viewers {
  readonly #open = new Set<ServerResponse>()
  readonly #stop: () => void

  /** `text` encodes an update for the pages, in one line. */
  constructor(dashboard: Dashboard, text: (update: LiveUpdate) => string) {
    this.#stop = dashboard.listen(update => {
      if (this.#open.size === 0) return
      const event = `data: ${text(update)}\n\n`
      for (const res of this.#open) {
        if (res.writableLength > MAX_UNSENT_BYTES) res.destroy()
        else res.write(event)
      }
    })
  }

  /** Sends updates as server-sent events. Returns false, and sends nothing, if there are too many viewers. */
  add(res: ServerResponse): boolean {
    if (this.#open.size >= MAX_VIEWERS) return false
    this.#open.add(res)
    const timer = setTimeout(() => res.end(), MAX_STREAM_MS).unref()
    res.on('close', () => {
      clearTimeout(timer)
      this.#open.delete(res)
    })
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    res.write('retry: 5000\n\n')
    return true
  }

  close(): void {
    this.#stop()
    for (const res of this.#open) res.end()
  }
}
