import { exponential, type Piece, type Random, type Session, seeded, type Turn } from './workloads.ts'

/** At the end of a run, the load fades. */
const COUNTED_SHARE = 0.95
/** Limit of the rate of the warm-up, as a share of the base rate. */
const WARM_UP_SHARE = 0.4

/** Part of a run, in milliseconds. */
export interface Window {
  readonly from: number
  readonly until: number
}

/** The requests of a run at a base rate. */
export interface Plan {
  readonly sessions: readonly Session[]
  /** Requests per second. */
  readonly baseRate: number
  /** The requests that count; undefined: all but the first quarter and the last twentieth. */
  readonly counted: Window | undefined
  /** Limit of the rate before the requests that count: caches fill without overload. Default: none. */
  readonly warmUpRate?: number
}

/** A plan at another rate. Where turns are due at times of their own, pauses change with the rate. */
export function atRate(
  { sessions, baseRate, counted, warmUpRate = Number.POSITIVE_INFINITY }: Plan,
  rate: number,
): Plan {
  const factor = rate / baseRate
  const warmFactor = Math.min(factor, warmUpRate / baseRate)
  const from = counted?.from ?? 0
  const timeOf = (at: number) => (at < from ? at / warmFactor : from / warmFactor + (at - from) / factor)
  return {
    sessions: sessions.map(session => ({
      ...session,
      at: timeOf(session.at),
      ...(session.due !== undefined && { due: session.due.map(timeOf) }),
    })),
    baseRate: rate,
    counted: counted && { from: timeOf(counted.from), until: timeOf(counted.until) },
  }
}

/** A turn, and the time between the answer before it and this turn, in milliseconds. */
export interface TimedTurn extends Turn {
  readonly thinkMs: number
}

/** Sessions whose turns are due at times of their own. */
export interface PlannedShape {
  readonly name: string
  /** Requests per second at which pauses have their stated length. */
  readonly baseRate: number
  /** Time before the requests that count, at the base rate: caches fill, and conversations grow. */
  readonly warmUpMs: number
  /** Assumed time of an answer. */
  readonly serviceMs: number
  session(id: string, random: Random): readonly TimedTurn[]
}

/** Sessions that begin at random times. After the warm-up, as many end as begin. */
export function planned(shape: PlannedShape, requests: number, seed: number): Plan {
  const { name, baseRate, warmUpMs, serviceMs } = shape
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
    const all = shape.session(id, random)
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
  return { ...atRate(plan, baseRate), warmUpRate: WARM_UP_SHARE * baseRate }
}

function meanTurns(shape: PlannedShape, seed: number): number {
  const random = seeded(seed + 1_000_003)
  let turns = 0
  for (let i = 0; i < 2000; i++) turns += shape.session('', random).length
  return turns / 2000
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

/** The turns up to the longest prompt. */
export function within<T extends Turn>(turns: readonly T[], maxPromptTokens: number): readonly T[] {
  const first = turns.findIndex(({ pieces }) => pieces.reduce((sum, { tokens }) => sum + tokens, 0) > maxPromptTokens)
  return first < 0 ? turns : turns.slice(0, first)
}
