/** What batches may use of the backends, for operators. */
import type { HeldBack, SpareCapacity } from '../../batches/spare.ts'

/** The spare capacity of a model. */
export interface SpareFacts {
  readonly model: string
  /** Lines that could be sent now. */
  readonly slots: number
  /** Lines that processes hold until there is capacity. */
  readonly waiting: number
  /** The model has had no interactive request for a while. */
  readonly offline: boolean
  readonly held_back: HeldBack | null
}

interface Gate extends Pick<SpareCapacity, 'waiting' | 'isOffline' | 'heldBack'> {
  models(): Iterable<string>
  spareSlots(model: string): number
}

/** Of this process, for each model whose lines it has had. */
export function spareFacts(gate: Gate): SpareFacts[] {
  return Array.from(gate.models(), model => ({
    model,
    slots: gate.spareSlots(model),
    waiting: gate.waiting(model),
    offline: gate.isOffline(model),
    held_back: gate.heldBack(model),
  }))
}

/** The sums of several processes. A reason is that of the first process that has one. */
export function sumSpare(all: readonly SpareFacts[]): SpareFacts[] {
  return Array.from(
    Map.groupBy(all, ({ model }) => model),
    ([model, own]) => ({
      model,
      slots: own.reduce((sum, { slots }) => sum + slots, 0),
      waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
      offline: own.every(({ offline }) => offline),
      held_back: own.find(({ held_back }) => held_back !== null)?.held_back ?? null,
    }),
  )
}
