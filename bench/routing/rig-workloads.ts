/**
 * The traffic that four engines on one GPU have served: chats, agents and documents, at a base rate. A turn is due at a
 * time of its own, and is sent then or when the turn before it is answered.
 */
import { atRate, type Plan } from './plan.ts'
import { between, exponential, type Piece, type Random, type Session, seeded, type Turn, zipf } from './workloads.ts'

/** A turn, and the time between the answer before it and this turn, in milliseconds. */
interface TimedTurn extends Turn {
  readonly thinkMs: number
}

interface Shape {
  /** Requests per second at which pauses have their stated length. */
  readonly baseRate: number
  /** Time before the requests that count, at the base rate: caches fill, and conversations grow. */
  readonly warmUpMs: number
  readonly maxPromptTokens: number
  session(id: string, random: Random): readonly TimedTurn[]
}

/** Assumed time of an answer in the plan. */
const SERVICE_MS = 1500
/** At the end of a run, the load fades. */
const COUNTED_SHARE = 0.95
const DOCUMENTS = 60
const DOCUMENT_EXPONENT = 0.9
const documentTokens = lengthsOfDocuments()

const SHAPES = {
  chat: {
    baseRate: 36,
    warmUpMs: 20_000,
    maxPromptTokens: 14_000,
    session: (id, random) => {
      const count = 2 + Math.min(6, Math.floor(exponential(random, 2.5)))
      const length = () =>
        random() < 0.25 ? logNormal(random, 2500, 0.5, 500, 6000) : logNormal(random, 300, 1, 20, 2000)
      const start = [{ id: 'rig-chat/system', tokens: 1500 }]
      return turnsOf(id, start, count, () => ({
        tokens: length(),
        answerTokens: logNormal(random, 36, 0.5, 8, 120),
        thinkMs: logNormal(random, 3000, 0.6, 600, 10_000),
      }))
    },
  },
  agent: {
    baseRate: 20,
    warmUpMs: 25_000,
    maxPromptTokens: 26_000,
    session: (id, random) => {
      const count = between(random, 4, 10)
      const kind = Math.min(2, Math.floor(exponential(random, 1)))
      const start = [{ id: `rig-agent/kind${kind}`, tokens: 4000 }]
      return turnsOf(id, start, count, turn => ({
        tokens: turn === 0 ? 600 : between(random, 1000, 3000),
        answerTokens: logNormal(random, 30, 0.5, 8, 100),
        thinkMs: logNormal(random, 800, 0.6, 200, 4000),
      }))
    },
  },
  rag: {
    baseRate: 14,
    warmUpMs: 30_000,
    maxPromptTokens: 20_000,
    session: (id, random) => {
      const document = zipf(random, DOCUMENTS, DOCUMENT_EXPONENT)
      const start = [
        { id: 'rig-rag/system', tokens: 480 },
        { id: `rig-rag/doc${document}`, tokens: documentTokens[document]! },
      ]
      return turnsOf(id, start, 1, () => ({
        tokens: logNormal(random, 80, 0.5, 20, 300),
        answerTokens: logNormal(random, 40, 0.5, 8, 120),
        thinkMs: 0,
      }))
    },
  },
} satisfies Readonly<Record<string, Shape>>

export type RigName = keyof typeof SHAPES

/** `requests` requests that count, at the base rate. */
export function rigPlan(name: RigName, requests: number, seed: number): Plan {
  return planned({ ...SHAPES[name], name: `rig-${name}`, serviceMs: SERVICE_MS }, requests, seed)
}

export interface PlannedShape extends Shape {
  readonly name: string
  /** Assumed time of an answer. */
  readonly serviceMs: number
}

/** Sessions that begin at random times. After the warm-up, as many end as begin. */
export function planned(shape: PlannedShape, requests: number, seed: number): Plan {
  const { name, baseRate, warmUpMs, maxPromptTokens, serviceMs } = shape
  const random = seeded(seed)
  const perSession = meanTurns(shape, seed)
  const spanMs = (1000 * requests) / baseRate
  const end = warmUpMs + spanMs
  const sessions: Session[] = []
  let counted = 0
  for (let i = 0, at = 0; ; i++) {
    at += exponential(random, (1000 * perSession) / baseRate)
    if (at >= end) break
    const id = `${name}${i}`
    const all = within(shape.session(id, random), maxPromptTokens)
    let next = at
    const due = all.map(({ thinkMs }, turn) => {
      if (turn > 0) next += thinkMs + serviceMs
      return next
    })
    const turns = all.filter((_, turn) => due[turn]! < end)
    counted += due.filter(one => one >= warmUpMs && one < end).length
    sessions.push({ id, at, turns, pauses: [], due })
  }
  const until = warmUpMs + COUNTED_SHARE * spanMs
  // The number of requests is random. The rate is not.
  const plan = { sessions, baseRate: (counted * 1000) / spanMs, counted: { from: warmUpMs, until } }
  return atRate(plan, baseRate)
}

function meanTurns(shape: PlannedShape, seed: number): number {
  const random = seeded(seed + 1_000_003)
  let turns = 0
  for (let i = 0; i < 2000; i++) turns += within(shape.session('', random), shape.maxPromptTokens).length
  return turns / 2000
}

/** The turns up to the longest prompt. */
function within<T extends Turn>(turns: readonly T[], maxPromptTokens: number): readonly T[] {
  const first = turns.findIndex(({ pieces }) => pieces.reduce((sum, { tokens }) => sum + tokens, 0) > maxPromptTokens)
  return first < 0 ? turns : turns.slice(0, first)
}

interface NextTurn {
  readonly tokens: number
  readonly answerTokens: number
  readonly thinkMs: number
}

/** A conversation whose turns repeat all turns before them, and their answers. */
export function turnsOf(
  id: string,
  start: readonly Piece[],
  count: number,
  next: (turn: number) => NextTurn,
): TimedTurn[] {
  const turns: TimedTurn[] = []
  let pieces = start
  for (let turn = 0; turn < count; turn++) {
    const { tokens, answerTokens, thinkMs } = next(turn)
    pieces = [...pieces, { id: `${id}/u${turn}`, tokens }]
    turns.push({ pieces, answerTokens, thinkMs })
    pieces = [...pieces, { id: `${id}/a${turn}`, tokens: answerTokens }]
  }
  return turns
}

/** A random number with a log-normal distribution, within bounds. */
export function logNormal(random: Random, median: number, sigma: number, low: number, high: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.round(Math.min(high, Math.max(low, median * Math.exp(sigma * normal))))
}

function lengthsOfDocuments(): number[] {
  const random = seeded(9013)
  return Array.from({ length: DOCUMENTS }, () => between(random, 4000, 12_000))
}
