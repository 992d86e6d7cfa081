/** Outcome of a probe request. `unreachable`: no connection could be opened. `failed`: any other failure. */
export type ProbeOutcome = 'ok' | 'failed' | 'unreachable'

/** Calls back after a time. Returns a function that cancels the call. */
export type After = (ms: number, call: () => void) => () => void

export interface Probed {
  /** Called before a probe request is sent. False: it is no longer needed. */
  probeDue(): boolean
  probed(outcome: ProbeOutcome): void
}

interface Pending {
  cancel(): void
  readonly isSent: boolean
}

/** Sends probe requests when they are due, at most one per backend at a time. */
export class Prober<T extends { readonly health: Probed }> {
  readonly #send: (of: T, signal: AbortSignal) => Promise<ProbeOutcome>
  readonly #after: After
  readonly #pending = new Map<T, Pending>()

  /** `send` rejects only if its signal aborts. */
  constructor(send: (of: T, signal: AbortSignal) => Promise<ProbeOutcome>, after: After = afterTimeout) {
    this.#send = send
    this.#after = after
  }

  /** Replaces an earlier schedule. No effect while a request is in flight: its outcome decides about the next. */
  schedule(of: T, ms: number): void {
    const earlier = this.#pending.get(of)
    if (earlier?.isSent) return
    earlier?.cancel()
    this.#pending.set(of, { cancel: this.#after(ms, () => void this.#probe(of)), isSent: false })
  }

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

/** A timer that does not keep the process alive. */
export function afterTimeout(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
