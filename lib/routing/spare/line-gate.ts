import type { Backend } from '../../backends/backend.ts'
import type { After } from '../../backends/health/prober.ts'
import type { Linked } from '../../base/linked-list.ts'
import { LinkedList } from '../../base/linked-list.ts'
import type { HeldBack, SpareCapacity } from '../../batches/spare.ts'
import type { Prompt } from '../prompt.ts'
import { maxLines, type SpareLimits } from './rule.ts'
import type { SpareModel } from './spare-model.ts'

/** How often the rule is applied while lines wait. */
const CHECK_MS = 20
/** How often room() is computed while nothing waits. */
const ROOM_MS = 500
/** Lines that may wait per backend. */
const WAITING = 4
const WAITING_OFFLINE = 16

/** A line that waits until a backend has capacity to spare. */
export interface WaitingLine extends Linked<WaitingLine> {
  /** Only backends with zero data retention may serve it. */
  readonly zdr: boolean
  readonly prompt: Prompt
  /** Sends it, synchronously. */
  send(backend: Backend): void
}

export interface LineGateHost {
  readonly after: After
  /** undefined: the configuration has no batches. */
  limits(): SpareLimits | undefined
  /** The backends of a model that are healthy and may serve lines. */
  usable(model: string, zdr: boolean): readonly Backend[]
  /** How many interactive requests of a model wait for a place. */
  waiting(model: string): number
  /** Places of the model as a whole: how many more lines it may have. */
  modelPlaces(model: string): number
  of(model: string): SpareModel
  /** All places of these backends are in use. Other processes may have more. */
  full(backends: readonly Backend[]): void
}

/** The lines of one model. */
interface ModelLines {
  /** By `zdr`, the oldest first. */
  readonly lists: readonly [LinkedList<WaitingLine>, LinkedList<WaitingLine>]
  size: number
  heldBack: HeldBack | null
  /** As of the last call of the callbacks. */
  room: number
  readonly callbacks: Set<() => void>
  cancelTimer: (() => void) | undefined
  /** When the timer calls. */
  isDueSoon: boolean
}

/** Lines of batches wait here, in order, until the rule allows to send them (docs/BATCHES.md#how-it-decides). */
export class LineGate implements SpareCapacity {
  readonly #host: LineGateHost
  readonly #models = new Map<string, ModelLines>()

  constructor(host: LineGateHost) {
    this.#host = host
  }

  enter(model: string, line: WaitingLine): void {
    const lines = this.#of(model)
    lines.lists[Number(line.zdr)]!.add(line)
    lines.size++
    // It has used a part of the room, which grows again when it is sent.
    lines.room--
    this.changed(model)
  }

  /** The line has been cancelled. No effect if it was sent. */
  leave(model: string, line: WaitingLine): void {
    const lines = this.#of(model)
    if (!lines.lists[Number(line.zdr)]!.delete(line)) return
    lines.size--
    this.changed(model)
  }

  /** The load of a model's backends has changed: the rule is applied in a later tick. */
  changed(model: string): void {
    const lines = this.#models.get(model)
    if (lines === undefined || lines.isDueSoon) return
    this.#schedule(model, lines, 0)
  }

  /** Applies the rule now. */
  check(model: string): void {
    const lines = this.#of(model)
    lines.cancelTimer?.()
    lines.cancelTimer = undefined
    lines.isDueSoon = false
    const reasons = lines.lists.map(list => this.#sendAll(model, lines, list))
    lines.heldBack = reasons.find(reason => reason !== null) ?? null
    const room = lines.callbacks.size === 0 ? 0 : this.room(model)
    const hasGrown = room > lines.room
    lines.room = room
    if (lines.size > 0) this.#schedule(model, lines, CHECK_MS)
    else if (lines.callbacks.size > 0) this.#schedule(model, lines, ROOM_MS)
    if (hasGrown) for (const callback of [...lines.callbacks]) callback()
  }

  room(model: string): number {
    const limits = this.#host.limits()
    if (limits === undefined) return 0
    const backends = this.#host.usable(model, false)
    const isOffline = this.isOffline(model)
    const spare = this.#host.of(model)
    let free = 0
    for (const backend of backends)
      free += Math.max(0, maxLines(limits, backend.limit, isOffline) - spare.linesAt(backend))
    const most = backends.length * (isOffline ? WAITING_OFFLINE : WAITING)
    return Math.max(0, Math.min(most, free, this.#host.modelPlaces(model)) - this.waiting(model))
  }

  waiting(model: string): number {
    return this.#models.get(model)?.size ?? 0
  }

  isOffline(model: string): boolean {
    return this.#host.waiting(model) === 0 && this.#host.of(model).isOffline()
  }

  heldBack(model: string): HeldBack | null {
    return this.#models.get(model)?.heldBack ?? null
  }

  onRoom(model: string, callback: () => void): () => void {
    const lines = this.#of(model)
    lines.callbacks.add(callback)
    this.changed(model)
    return () => void lines.callbacks.delete(callback)
  }

  /** The models that have had lines. */
  models(): Iterable<string> {
    return this.#models.keys()
  }

  /** How many lines of the usual size could be sent now. */
  spareSlots(model: string): number {
    const limits = this.#host.limits()
    if (limits === undefined || this.#host.waiting(model) > 0) return 0
    const open = this.#host.usable(model, false).filter(backend => !backend.isFull)
    const slots = this.#host.of(model).slots(open, limits, this.isOffline(model))
    return Math.max(0, Math.min(slots, this.#host.modelPlaces(model)))
  }

  close(): void {
    for (const { cancelTimer } of this.#models.values()) cancelTimer?.()
    this.#models.clear()
  }

  /** Sends lines in order. Returns why the first one that is left is held back; null: none is left. */
  #sendAll(model: string, lines: ModelLines, list: LinkedList<WaitingLine>): HeldBack | null {
    for (let line = list.first; line !== null; line = list.first) {
      const chosen = this.#choose(model, line)
      if (typeof chosen === 'string') return chosen
      list.delete(line)
      lines.size--
      line.send(chosen)
    }
    return null
  }

  #choose(model: string, { zdr, prompt }: WaitingLine): Backend | HeldBack {
    const limits = this.#host.limits()
    if (limits === undefined || this.#host.modelPlaces(model) <= 0) return 'room'
    // They are served first.
    if (this.#host.waiting(model) > 0) return 'prompt'
    const backends = this.#host.usable(model, zdr)
    const open = backends.filter(backend => !backend.isFull)
    if (open.length === 0) {
      this.#host.full(backends)
      return 'room'
    }
    return this.#host.of(model).choose(open, prompt, limits, this.isOffline(model))
  }

  #schedule(model: string, lines: ModelLines, ms: number): void {
    lines.cancelTimer?.()
    lines.isDueSoon = ms === 0
    lines.cancelTimer = this.#host.after(ms, () => this.check(model))
  }

  #of(model: string): ModelLines {
    let lines = this.#models.get(model)
    if (lines === undefined) {
      lines = {
        lists: [new LinkedList(), new LinkedList()],
        size: 0,
        heldBack: null,
        room: 0,
        callbacks: new Set(),
        cancelTimer: undefined,
        isDueSoon: false,
      }
      this.#models.set(model, lines)
    }
    return lines
  }
}
