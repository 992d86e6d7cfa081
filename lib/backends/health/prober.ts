/** What a probe request found: `unreachable`, no connection could be opened; `failed`, it failed in another way. */
export type ProbeOutcome = 'ok' | 'failed' | 'unreachable'

/** Calls back after a time. Returns what cancels it. */
export type After = (ms: number, call: () => void) => () => void

/** Something that probe requests are sent for. */
export interface Probed {
  /** The time has come. False: there is no question any more. */
  probeDue(): boolean
  probed(outcome: ProbeOutcome): void
}

interface Pending {
  /** Ends the timer, or the request. */
  cancel(): void
  readonly isSent: boolean
}

/** Sends probe requests when they are due, at most one at a time for each backend. */
export class Prober<T extends { readonly health: Probed }> {
  readonly #send: (of: T, signal: AbortSignal) => Promise<ProbeOutcome>
  readonly #after: After
  readonly #pending = new Map<T, Pending>()

  /** `send` rejects where its signal aborts, and else never. */
  constructor(send: (of: T, signal: AbortSignal) => Promise<ProbeOutcome>, after: After = afterTimeout) {
    this.#send = send
    this.#after = after
  }

  /** In place of an earlier appointment; no effect while a request is under way, whose outcome comes first. */
  schedule(of: T, ms: number): void {
    const before = this.#pending.get(of)
    if (before?.isSent) return
    before?.cancel()
    this.#pending.set(of, { cancel: this.#after(ms, () => void this.#probe(of)), isSent: false })
  }

  /** Ends what is pending for all but these. */
  keep(these: ReadonlySet<T>): void {
    for (const [of, pending] of this.#pending) {
      if (these.has(of)) continue
      this.#pending.delete(of)
      pending.cancel()
    }
  }

  close(): void {
    this.keep(new Set())
  }

  async #probe(of: T): Promise<void> {
    this.#pending.delete(of)
    if (!of.health.probeDue()) return
    const abort = new AbortController()
    const sent: Pending = { cancel: () => abort.abort(), isSent: true }
    this.#pending.set(of, sent)
    const outcome = await this.#send(of, abort.signal).catch(() => undefined)
    if (this.#pending.get(of) !== sent) return
    this.#pending.delete(of)
    of.health.probed(outcome ?? 'failed')
  }
}

/** A timer that keeps no process alive. */
export function afterTimeout(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
