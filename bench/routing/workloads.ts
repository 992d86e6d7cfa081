/** Traffic for the routing benchmark: conversations, agents, documents, tenants, or unrelated prompts. */

/** A piece of text. Its id and length determine it. */
export interface Piece {
  readonly id: string
  readonly tokens: number
}

/** One request: the pieces of its prompt, in order, and the length of its answer. */
export interface Turn {
  readonly pieces: readonly Piece[]
  readonly answerTokens: number
}

/** Consecutive requests: each is sent after the answer to the one before and a pause. */
export interface Session {
  readonly id: string
  /** Time of the first turn, in milliseconds from the start. */
  readonly at: number
  readonly turns: readonly Turn[]
  /** Milliseconds before each turn but the first. Not used with `due`. */
  readonly pauses: readonly number[]
  /** When each turn is due. It is sent then, or when the turn before it is answered, if that is later. */
  readonly due?: readonly number[]
}

export type Random = () => number

/** The generator Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const between = (random: Random, low: number, high: number) => Math.round(low + random() * (high - low))
export const exponential = (random: Random, mean: number) => -Math.log(1 - random()) * mean

/** A random number with a log-normal distribution, within bounds. */
export function logNormal(random: Random, median: number, sigma: number, low: number, high: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.round(Math.min(high, Math.max(low, median * Math.exp(sigma * normal))))
}

/** A random index below `count`, by Zipf's law: small ones are more frequent. */
export function zipf(random: Random, count: number, exponent: number): number {
  let sum = 0
  for (let i = 1; i <= count; i++) sum += i ** -exponent
  let at = random() * sum
  for (let i = 1; i <= count; i++) {
    at -= i ** -exponent
    if (at <= 0) return i - 1
  }
  return count - 1
}

/** A conversation: each turn repeats all turns before it and their answers. */
function conversation(
  id: string,
  start: readonly Piece[],
  random: Random,
  count: number,
  user: [number, number],
  answer: [number, number],
): Turn[] {
  const turns: Turn[] = []
  let pieces = [...start]
  for (let turn = 0; turn < count; turn++) {
    pieces = [...pieces, { id: `${id}/u${turn}`, tokens: between(random, ...user) }]
    const answerTokens = between(random, ...answer)
    turns.push({ pieces, answerTokens })
    pieces = [...pieces, { id: `${id}/a${turn}`, tokens: answerTokens }]
  }
  return turns
}

export type Shape = (id: string, random: Random) => readonly Turn[]

export const SHAPES: Readonly<Record<string, { readonly shape: Shape; readonly pauseMs: number }>> = {
  chat: {
    pauseMs: 5000,
    shape: (id, random) => {
      const pasted = random() < 0.1 ? [{ id: `${id}/paste`, tokens: between(random, 2000, 8000) }] : []
      const start = [{ id: 'chat/system', tokens: 2000 }, ...pasted]
      return conversation(id, start, random, 1 + Math.round(exponential(random, 5)), [50, 500], [100, 500])
    },
  },
  agent: {
    pauseMs: 800,
    shape: (id, random) => {
      const kind = Math.floor(random() * 4)
      const start = [{ id: `agent/kind${kind}`, tokens: 6000 + kind * 1300 }]
      return conversation(id, start, random, between(random, 8, 30), [500, 2200], [60, 320])
    },
  },
  rag: {
    pauseMs: 4000,
    shape: (id, random) => {
      const start = [{ id: 'rag/system', tokens: 400 }]
      const documents =
        random() < 0.5
          ? [zipf(random, 60, 0.9)].map(n => ({ id: `rag/doc${n}`, tokens: 8000 + ((n * 7919) % 12_000) }))
          : [0, 1, 2].map(() => ({ id: `rag/chunk${zipf(random, 400, 0.9)}`, tokens: 1200 }))
      const question = { id: `${id}/q`, tokens: between(random, 30, 200) }
      return [{ pieces: [...start, ...documents, question], answerTokens: between(random, 80, 400) }]
    },
  },
  tenants: {
    pauseMs: 4000,
    shape: (id, random) => {
      const tenant = zipf(random, 300, 1.1)
      const start = [{ id: `tenant${tenant}`, tokens: 1000 + ((tenant * 7919) % 5000) }]
      return conversation(id, start, random, between(random, 1, 5), [40, 300], [100, 400])
    },
  },
  none: {
    pauseMs: 0,
    shape: (id, random) => [
      {
        pieces: [{ id: `${id}/only`, tokens: Math.max(200, Math.min(16_000, Math.round(exponential(random, 4900)))) }],
        answerTokens: between(random, 100, 500),
      },
    ],
  },
}

export const GENERATORS = Object.keys(SHAPES)

/** Sessions of a generator with `requests` requests in total. They begin at random times. */
export function generated(name: string, requests: number, requestsPerSecond: number, seed: number): Session[] {
  const { shape, pauseMs } = SHAPES[name]!
  const random = seeded(seed)
  const sessions: Session[] = []
  let planned = 0
  while (planned < requests) {
    const turns = shape(`${name}${sessions.length}`, random).slice(0, requests - planned)
    planned += turns.length
    const pauses = turns.slice(1).map(() => exponential(random, pauseMs))
    sessions.push({ id: `${name}${sessions.length}`, at: 0, turns, pauses })
  }
  const total = (requests / requestsPerSecond) * 1000
  return sessions.map(session => ({ ...session, at: random() * total })).sort((a, b) => a.at - b.at)
}

/** FNV-1a hash of a text: evenly distributed over sessions. */
export function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
