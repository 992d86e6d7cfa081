/** The traffic that other routers publish measurements of: shared system prompts, long answers, and long agents. */
import { type Plan, planned, type TimedTurn, turnsOf } from './plan.ts'
import { between, exponential, logNormal, type Random, seeded, type Turn } from './workloads.ts'

/** As in the benchmarks of llm-d: 150 groups with a system prompt, and five questions in each. */
const GROUPS = 150
const QUESTIONS = 5
const REPETITIONS = 3

export const PEER_PLANS = {
  /** 150 system prompts of 6,000 tokens with five questions of 1,200 each, and answers of 1,000. */
  'shared-prompts': (requests: number, seed: number): Plan => {
    const random = seeded(seed + 1)
    const next = endless(round =>
      shuffled(
        Array.from({ length: GROUPS * QUESTIONS }, (_, i): Turn => {
          const question = { id: `shared/q${round}/${i}`, tokens: 1200 }
          return { pieces: [{ id: `shared/${i % GROUPS}`, tokens: 6000 }, question], answerTokens: 1000 }
        }),
        random,
      ),
    )
    return single({ name: 'shared-prompts', baseRate: 14, warmUpMs: 45_000, next }, requests, seed)
  },
  /** Prompts of 1,200 tokens with answers of 8,000 on average, each asked three times. */
  'long-answers': (requests: number, seed: number): Plan => {
    const random = seeded(seed + 1)
    const next = endless(round =>
      shuffled(
        Array.from(
          { length: requests },
          (_, i): Turn => ({
            pieces: [{ id: `long-answers/${round}/${Math.floor(i / REPETITIONS)}`, tokens: 1200 }],
            answerTokens: logNormal(random, 6700, 0.6, 500, 30_000),
          }),
        ),
        random,
      ),
    )
    return single({ name: 'long-answers', baseRate: 1.1, warmUpMs: 250_000, next }, requests, seed)
  },
  /**
   * Agents that begin with 10,000 to 780,000 tokens, with a median of 150,000, and add 632 a turn on average.
   */
  'long-agents': (requests: number, seed: number): Plan => {
    const session = (id: string, random: Random) => {
      const start = [{ id: `${id}/start`, tokens: logNormal(random, 150_000, 0.95, 10_000, 780_000) }]
      return turnsOf(id, start, between(random, 10, 40), () => {
        const answerTokens = logNormal(random, 150, 0.6, 20, 600)
        return { tokens: 20 + Math.round(exponential(random, 435)), answerTokens, thinkMs: exponential(random, 2500) }
      })
    }
    return planned({ name: 'long-agents', baseRate: 5, warmUpMs: 100_000, serviceMs: 2000, session }, requests, seed)
  },
} satisfies Readonly<Record<string, (requests: number, seed: number) => Plan>>

interface Single {
  readonly name: string
  readonly baseRate: number
  readonly warmUpMs: number
  next(): Turn
}

/** Each turn is a session of its own. */
function single({ next, ...shape }: Single, requests: number, seed: number): Plan {
  const session = (id: string): readonly TimedTurn[] => (id === '' ? [PLACEHOLDER] : [{ ...next(), thinkMs: 0 }])
  return planned({ ...shape, serviceMs: 0, session }, requests, seed)
}

/** Only its number counts. */
const PLACEHOLDER: TimedTurn = { pieces: [], answerTokens: 1, thinkMs: 0 }

/** The elements of list after list. */
function endless<T>(listOf: (round: number) => readonly T[]): () => T {
  let round = 0
  let list: readonly T[] = []
  let at = 0
  return () => {
    if (at === list.length) {
      list = listOf(round++)
      at = 0
    }
    return list[at++]!
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const all = [...list]
  for (let i = all.length - 1; i > 0; i--) {
    const at = Math.floor(random() * (i + 1))
    const one = all[i]!
    all[i] = all[at]!
    all[at] = one
  }
  return all
}
