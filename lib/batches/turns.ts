/** Which batch may send lines next: accounts by the tokens that they have received, and their batches in turn. */
import type { Key } from '../accounts/access.ts'
import type { Clock } from '../base/clock.ts'
import type { OpenBatch } from '../store/batches.ts'
import { modelsOf } from './stored.ts'

/** A batch whose lines may be sent. */
export interface Runnable {
  readonly batch: OpenBatch
  /** With its present limits. */
  readonly key: Key
}

/** The batches by the models of their lines. */
export function byModel(runnable: Iterable<Runnable>): ReadonlyMap<string, readonly Runnable[]> {
  const all = new Map<string, Runnable[]>()
  for (const one of runnable)
    for (const model of modelsOf(one.batch)) {
      const known = all.get(model)
      if (known === undefined) all.set(model, [one])
      else known.push(one)
    }
  return all
}

/** A line in flight. */
interface Running {
  readonly batch: { readonly account_id: string }
  readonly row: { readonly length: number }
}

/** Of a line in flight, whose tokens are not known. */
const BYTES_PER_TOKEN = 4

export class Turns {
  readonly #clock: Clock
  /** Tokens of accounts that the store did not have at the last update. */
  readonly #served = new Map<string, number>()
  /** The last turn of each batch. */
  readonly #turns = new Map<string, number>()
  /** Milliseconds since the epoch, by batch, or by batch and model. */
  readonly #waits = new Map<string, number>()
  #turn = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The store has been read again. */
  update(): void {
    this.#served.clear()
    const now = this.#clock.now()
    for (const [name, until] of this.#waits) if (until <= now) this.#waits.delete(name)
  }

  served(account: string, tokens: number): void {
    this.#served.set(account, (this.#served.get(account) ?? 0) + tokens)
  }

  /** `name`: a batch, or a batch and a model: nothing is claimed of it for this time. */
  wait(name: string, ms: number): void {
    this.#waits.set(name, this.#clock.now() + ms)
  }

  /** Takes the turn of a batch. `runnable`: those with lines of this model. undefined: none of them may be sent. */
  next(model: string, runnable: Iterable<Runnable>, running: Iterable<Running>): Runnable | undefined {
    const inFlight = new Map<string, number>()
    for (const { batch, row } of running)
      inFlight.set(batch.account_id, (inFlight.get(batch.account_id) ?? 0) + row.length / BYTES_PER_TOKEN)
    const servedOf = ({ account_id: id, served }: OpenBatch) =>
      served + (this.#served.get(id) ?? 0) + (inFlight.get(id) ?? 0)
    let best: Runnable | undefined
    for (const one of runnable) {
      const { batch } = one
      if (this.#isWaiting(batch.id) || this.#isWaiting(`${batch.id} ${model}`)) continue
      const isBetter =
        best === undefined ||
        (batch.account_id === best.batch.account_id
          ? this.#turnOf(batch) < this.#turnOf(best.batch)
          : servedOf(batch) < servedOf(best.batch))
      if (isBetter) best = one
    }
    if (best !== undefined) this.#turns.set(best.batch.id, ++this.#turn)
    return best
  }

  #isWaiting(name: string): boolean {
    return (this.#waits.get(name) ?? 0) > this.#clock.now()
  }

  #turnOf({ id }: OpenBatch): number {
    return this.#turns.get(id) ?? 0
  }
}
