/** The traffic that other routers publish measurements of: shared system prompts, long answers, and long agents. */
import type { Plan } from './plan.ts'
import { logNormal, planned, turnsOf } from './rig-workloads.ts'
import { between, exponential, seeded, type Turn } from './workloads.ts'

/** As in the benchmarks of llm-d: 150 groups with a system prompt, and five questions in each. */
const GROUPS = 150
const QUESTIONS = 5
const REPETITIONS = 3
const LONG_AGENTS = {
  name: 'long-agents',
  baseRate: 10,
  maxPromptTokens: 900_000,
  serviceMs: 2000,
  warmUpMs: 100_000,
  session: (id: string, random: () => number) => {
    const start = [{ id: `${id}/start`, tokens: logNormal(random, 150_000, 0.95, 10_000, 780_000) }]
    return turnsOf(id, start, between(random, 10, 40), () => {
      const answerTokens = logNormal(random, 150, 0.6, 20, 600)
      return { tokens: 20 + Math.round(exponential(random, 435)), answerTokens, thinkMs: exponential(random, 2500) }
    })
  },
}

export const PEER_PLANS: Readonly<Record<string, (requests: number, seed: number) => Plan>> = {
  /** 150 system prompts of 6,000 tokens with five questions of 1,200 each, and answers of 1,000, at 1 request a second. */
  'shared-prompts': (requests, seed) => {
    const random = seeded(seed)
    const turns: Turn[] = []
    for (let round = 0; turns.length < requests; round++) {
      const all = Array.from({ length: GROUPS * QUESTIONS }, (_, i): Turn => {
        const question = { id: `shared/q${round}/${i}`, tokens: 1200 }
        return { pieces: [{ id: `shared/${i % GROUPS}`, tokens: 6000 }, question], answerTokens: 1000 }
      })
      turns.push(...shuffled(all, random))
    }
    return single('shared-prompts', turns.slice(0, requests), random)
  },
  /** Prompts of 1,200 tokens with answers of 8,000 on average, each asked three times, at 1 request a second. */
  'long-answers': (requests, seed) => {
    const random = seeded(seed)
    const turns = Array.from({ length: requests }, (_, i): Turn => ({
      pieces: [{ id: `long-answers/${Math.floor(i / REPETITIONS)}`, tokens: 1200 }],
      answerTokens: logNormal(random, 6700, 0.6, 500, 30_000),
    }))
    return single('long-answers', shuffled(turns, random), random)
  },
  /**
   * Agents that begin with 10,000 to 780,000 tokens, with a median of 150,000, and add 632 a turn on average. At 10
   * requests a second.
   */
  'long-agents': (requests, seed) => planned(LONG_AGENTS, requests, seed),
}

/** Each turn is a session of its own, at a random time. */
function single(name: string, turns: readonly Turn[], random: () => number): Plan {
  const total = turns.length * 1000
  const times = turns.map(() => random() * total).sort((a, b) => a - b)
  const sessions = turns.map((turn, i) => ({ id: `${name}${i}`, at: times[i]!, turns: [turn], pauses: [] }))
  return { sessions, baseRate: 1, counted: undefined }
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
