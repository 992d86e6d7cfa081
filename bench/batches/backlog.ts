/** An endless supply of lines of batches, which the gateway's gate sends to virtual engines. */
import type { Backend } from '../../lib/backends/pool.ts'
import { LineGate, type WaitingLine } from '../../lib/routing/spare/line-gate.ts'
import type { SpareLimits } from '../../lib/routing/spare/rule.ts'
import { SpareModel } from '../../lib/routing/spare/spare-model.ts'
import { EngineJob } from '../../simulator/engine-model.ts'
import { blocksOfTurn, preparedPrompt, tokensOf } from '../routing/prepared.ts'
import type { SimulationParts } from '../routing/virtual.ts'
import type { VirtualGateway } from '../routing/virtual-gateways.ts'
import type { Turn } from '../routing/workloads.ts'

export interface BacklogOptions {
  /** null: no rule. Each engine always has `slots` lines. */
  readonly limits: SpareLimits | null
  readonly slots: number
  readonly line: LineShape
  readonly blockTokens: number
}

export interface LineShape {
  readonly promptTokens: number
  /** Tokens at the start of the prompt that are the same in all lines: the instruction. */
  readonly equalTokens: number
  readonly answerTokens: number
}

/** A line that has ended. Times are milliseconds. */
export interface EndedLine {
  readonly at: number
  readonly sentAt: number
}

const MODEL = 'm'

/** Distinct prompts. Their chunks are evicted before they are used again. */
const PROMPTS = 12_000
const turns = new Map<string, Turn>()

export function lineTurn({ promptTokens, equalTokens, answerTokens }: LineShape, number: number): Turn {
  const id = `line${promptTokens}/${equalTokens}/${number % PROMPTS}`
  // Of equal prompts with answers of another length, there is another one.
  const key = `${id} ${answerTokens}`
  let turn = turns.get(key)
  if (turn === undefined) {
    const start = { id: `instruction${equalTokens}`, tokens: equalTokens }
    turn = { pieces: [start, { id, tokens: promptTokens - equalTokens }], answerTokens }
    turns.set(key, turn)
  }
  return turn
}

export class Backlog {
  readonly ended: EndedLine[] = []
  /** How often each reason held a line back, at each check. */
  readonly heldBack = new Map<string, number>()
  readonly #options: BacklogOptions
  readonly #parts: SimulationParts
  #sent = 0

  constructor(options: BacklogOptions, parts: SimulationParts) {
    this.#options = options
    this.#parts = parts
    if (options.limits === null) {
      for (const backend of parts.engines.backends)
        for (let i = 0; i < options.slots; i++) parts.time.after(i, () => this.#unruled(backend))
      return
    }
    for (const gateway of parts.gateways) this.#feed(gateway, options.limits)
  }

  /** Keeps a gate full. */
  #feed({ routing }: VirtualGateway, limits: SpareLimits): void {
    const { time, pool, gateways } = this.#parts
    const spare = new SpareModel(routing)
    const gate: LineGate = new LineGate({
      after: time.after,
      limits: () => limits,
      usable: () => [...pool.backends()],
      waiting: () => 0,
      modelPlaces: () => Number.POSITIVE_INFINITY,
      of: () => spare,
      full: () => {},
    })
    gateways.find(gateway => gateway.routing === routing)!.onChanged = () => gate.changed(MODEL)
    const fill = () => {
      for (let room = gate.room(MODEL); room > 0; room--) {
        const turn = lineTurn(this.#options.line, this.#sent++)
        const prompt = { ...preparedPrompt(turn).prompt, isStreamed: false }
        const line: WaitingLine = {
          zdr: false,
          prompt,
          send: backend => this.#submit(backend, turn, spare.place(backend, prompt)),
          previous: null,
          next: null,
          isListed: false,
        }
        gate.enter(MODEL, line)
      }
      const reason = gate.heldBack(MODEL) ?? 'none'
      this.heldBack.set(reason, (this.heldBack.get(reason) ?? 0) + 1)
    }
    gate.onRoom(MODEL, fill)
  }

  #unruled(backend: Backend): void {
    this.#submit(backend, lineTurn(this.#options.line, this.#sent++), undefined, () => this.#unruled(backend))
  }

  #submit(
    backend: Backend,
    turn: Turn,
    placement: ReturnType<SpareModel['place']> | undefined,
    next: (() => void) | undefined = undefined,
  ): void {
    const { time, engines } = this.#parts
    const lease = backend.acquire(placement)
    const sentAt = time.ms
    const { answerTokens } = turn
    const promptTokens = tokensOf(turn)
    const job = new EngineJob(
      promptTokens,
      answerTokens,
      blocksOfTurn(turn, this.#options.blockTokens),
      (count, now) => {
        time.ms = Math.max(time.ms, now)
        if (count < answerTokens) return
        engines.done(backend, flight)
        this.ended.push({ at: now, sentAt })
        const usage = { promptTokens, completionTokens: answerTokens, cachedTokens: job.cached, reasoningTokens: null }
        lease.release('ok', usage)
        next?.()
      },
    )
    const flight = { job, broken: () => lease.release('neutral') }
    engines.submit(backend, flight, time.ms)
  }
}
