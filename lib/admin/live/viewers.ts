/** Pages that stay open: each update is made once for all of them, and their number is bounded. */
import type { ServerResponse } from 'node:http'
import type { LiveBoard, LiveUpdate } from './board.ts'

/** All operators of a gateway, in several windows. */
const MOST = 64
/** A connection with more unsent bytes is closed: its browser connects again by itself. */
const MOST_WAITING_BYTES = 1_000_000
/** The connection is closed after this time and the browser connects again, so that a session that has ended ends its pages too. */
const LONGEST_MS = 60_000

export class Viewers {
  readonly #open = new Set<ServerResponse>()
  readonly #stop: () => void

  /** `text`: an update as the pages read it, in one line. */
  constructor(board: LiveBoard, text: (update: LiveUpdate) => string) {
    this.#stop = board.listen(update => {
      if (this.#open.size === 0) return
      const event = `data: ${text(update)}\n\n`
      for (const res of this.#open) {
        if (res.writableLength > MOST_WAITING_BYTES) res.destroy()
        else res.write(event)
      }
    })
  }

  /** Sends updates as server-sent events. False: there are too many viewers, and nothing was sent. */
  add(res: ServerResponse): boolean {
    if (this.#open.size >= MOST) return false
    this.#open.add(res)
    const timer = setTimeout(() => res.end(), LONGEST_MS).unref()
    res.on('close', () => {
      clearTimeout(timer)
      this.#open.delete(res)
    })
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    res.write('retry: 5000\n\n')
    return true
  }

  /** Ends every page's stream. */
  close(): void {
    this.#stop()
    for (const res of this.#open) res.end()
  }
}
