/** The traffic that four engines on one GPU have served: chats, agents and documents. */
import { type Plan, type PlannedShape, planned, turnsOf, within } from './plan.ts'
import { between, exponential, logNormal, type Random, seeded, zipf } from './workloads.ts'

/** Assumed time of an answer. */
const SERVICE_MS = 1500
const MAX_CHAT_TOKENS = 14_000
const MAX_AGENT_TOKENS = 26_000
const DOCUMENTS = 60
const DOCUMENT_EXPONENT = 0.9
const documentTokens = lengthsOfDocuments()

const SHAPES = {
  chat: {
    baseRate: 36,
    warmUpMs: 20_000,
    session: (id: string, random: Random) => {
      const count = 2 + Math.min(6, Math.floor(exponential(random, 2.5)))
      const length = () =>
        random() < 0.25 ? logNormal(random, 2500, 0.5, 500, 6000) : logNormal(random, 300, 1, 20, 2000)
      const start = [{ id: 'rig-chat/system', tokens: 1500 }]
      const turns = turnsOf(id, start, count, () => ({
        tokens: length(),
        answerTokens: logNormal(random, 36, 0.5, 8, 120),
        thinkMs: logNormal(random, 3000, 0.6, 600, 10_000),
      }))
      return within(turns, MAX_CHAT_TOKENS)
    },
  },
  agent: {
    baseRate: 20,
    warmUpMs: 25_000,
    session: (id: string, random: Random) => {
      const count = between(random, 4, 10)
      const kind = Math.min(2, Math.floor(exponential(random, 1)))
      const start = [{ id: `rig-agent/kind${kind}`, tokens: 4000 }]
      const turns = turnsOf(id, start, count, turn => ({
        tokens: turn === 0 ? 600 : between(random, 1000, 3000),
        answerTokens: logNormal(random, 30, 0.5, 8, 100),
        thinkMs: logNormal(random, 800, 0.6, 200, 4000),
      }))
      return within(turns, MAX_AGENT_TOKENS)
    },
  },
  rag: {
    baseRate: 14,
    warmUpMs: 30_000,
    session: (id: string, random: Random) => {
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
} satisfies Readonly<Record<string, Omit<PlannedShape, 'name' | 'serviceMs'>>>

export type RigName = keyof typeof SHAPES

/** `requests` requests that count, at the base rate. */
export function rigPlan(name: RigName, requests: number, seed: number): Plan {
  return planned({ ...SHAPES[name], name: `rig-${name}`, serviceMs: SERVICE_MS }, requests, seed)
}

function lengthsOfDocuments(): number[] {
  const random = seeded(9013)
  return Array.from({ length: DOCUMENTS }, () => between(random, 4000, 12_000))
}
