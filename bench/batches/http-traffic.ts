/** What the part over HTTP sends: questions of interactive users, and lines of batches. */
import { capacityOf } from '../routing/capacity.ts'
import { PROFILES } from '../routing/profiles.ts'
import { resultOf, type Slo } from '../routing/result.ts'
import { messagesOf } from '../routing/text.ts'
import { simulate } from '../routing/virtual.ts'
import { exponential, logNormal, type Session, seeded } from '../routing/workloads.ts'
import { type LineShape, lineTurn } from './backlog.ts'

/** Slow engines: the times of the machine are small compared with theirs. */
export const ENGINE = PROFILES['h200-quarter']
const SLO: Slo = { firstMs: 1000, firstMsPerToken: 0, tokenMs: 150 }
const SYSTEM_TOKENS = 1500
const SYSTEMS = 4
/** The search for the capacity, per engine. */
const START_RATE = 6
const VIRTUAL_SECONDS = 40

export interface Questions {
  /** Requests per second. */
  readonly rate: number
  readonly seconds: number
  readonly seed: number
  /** Questions with equal names and seeds are equal. With other names, only their lengths and times are. */
  readonly name: string
}

/** Questions at random times: one of four system prompts, and a text that no other question has. */
export function questions({ rate, seconds, seed, name }: Questions): Session[] {
  const random = seeded(seed)
  const sessions: Session[] = []
  for (let at = exponential(random, 1000 / rate); at < 1000 * seconds; at += exponential(random, 1000 / rate)) {
    const id = `${name}${sessions.length}`
    const system = { id: `questions/system${Math.floor(random() * SYSTEMS)}`, tokens: SYSTEM_TOKENS }
    const text = { id: `${id}/text`, tokens: logNormal(random, 500, 0.8, 20, 6000) }
    const answerTokens = logNormal(random, 80, 0.5, 8, 400)
    sessions.push({ id, at, turns: [{ pieces: [system, text], answerTokens }], pauses: [] })
  }
  return sessions
}

/** Requests per second of which nearly all are answered within the objective, in virtual time. */
export function capacityOfEngines(engines: number, seed: number): number {
  const good = (rate: number) => {
    const sessions = questions({ rate, seconds: VIRTUAL_SECONDS, seed, name: 'virtual' })
    const { samples, computed } = simulate({
      policy: 'cost',
      sessions,
      engines,
      speed: ENGINE.speed,
      times: 1,
      seed,
    })
    return resultOf(samples, computed, 1, { slo: SLO }).good
  }
  return capacityOf(good, START_RATE * engines)
}

/** Shortest and longest answer of a line, as a multiple of the mean. With equal ones, lines would run in waves. */
const MIN_ANSWER = 0.2
const MAX_ANSWER = 1.8

/** Bodies of lines. `from`: the number of the first one; lines with other numbers are different. */
export function lineBodies(shape: LineShape, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const turn = lineTurn(shape, from + i)
    const factor = MIN_ANSWER + seeded(from + i)() * (MAX_ANSWER - MIN_ANSWER)
    const answerTokens = Math.max(1, Math.round(factor * turn.answerTokens))
    return JSON.stringify({ model: 'm', max_tokens: answerTokens, messages: messagesOf(turn) })
  })
}
