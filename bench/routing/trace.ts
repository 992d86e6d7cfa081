import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseJson } from '../../lib/base/json.ts'
import { type Session, seeded } from './workloads.ts'

/** A row of a trace. `hash_ids` has a number per 512 tokens of the prompt; equal beginnings have equal numbers. */
interface Row {
  readonly timestamp: number
  readonly input_length: number
  readonly output_length: number
  readonly hash_ids: readonly number[]
}

const BLOCK_TOKENS = 512
/** Resolution of the timestamps in the published traces. Requests of one tick are spread over it. */
const TICK_MS = 3000

/**
 * The first requests of a trace (JSON lines, gzipped or not) at `factor` times its speed. Each is a session of its own.
 */
export function readTrace(path: string, requests: number, factor: number): Session[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  const random = seeded(1)
  return text
    .split('\n')
    .slice(0, requests)
    .filter(line => line !== '')
    .map((line, i) => sessionOf(parseJson(line) as unknown as Row, i, random, factor))
    .sort((a, b) => a.at - b.at)
}

function sessionOf(
  { timestamp, input_length, output_length, hash_ids }: Row,
  i: number,
  random: () => number,
  factor: number,
): Session {
  const pieces = hash_ids.map((id, at) => ({
    id: `trace${id}`,
    tokens: Math.min(BLOCK_TOKENS, input_length - at * BLOCK_TOKENS),
  }))
  return {
    id: `trace${i}`,
    at: (timestamp + random() * TICK_MS) / factor,
    turns: [{ pieces: pieces.filter(({ tokens }) => tokens > 0), answerTokens: Math.max(1, output_length) }],
    pauses: [],
  }
}
