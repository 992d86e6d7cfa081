import { isObject, type Json, parseJson } from '../../base/json.ts'

/** The report of one process about a backend. */
export interface SharedBackend {
  /** A keyed hash, from which nobody else can derive the backend. */
  readonly id: string
  /** Expected milliseconds of all queued prefills. */
  readonly queuedMs: number
  /** Expected milliseconds of the oldest queued prefill. */
  readonly firstMs: number
  /** Milliseconds since the oldest queued prefill could start. */
  readonly headAgeMs: number
  readonly answers: number
  readonly promptTokens: number
  /** Hashes of the chunks of each prompt that was sent to the backend since the last message. */
  readonly prompts: readonly Int32Array[]
}

export interface ShareMessage {
  /** Id of the sending process. */
  readonly from: string
  readonly backends: readonly SharedBackend[]
}

/** Rounds to microseconds, because digits are the largest part of a message. */
const round = (value: number) => Math.round(value * 1000) / 1000

export function encodeMessage({ from, backends }: ShareMessage): string {
  return JSON.stringify([
    from,
    ...backends.map(({ id, queuedMs, firstMs, headAgeMs, answers, promptTokens, prompts }) => [
      id,
      ...[queuedMs, firstMs, headAgeMs, answers, promptTokens].map(round),
      ...prompts.map(toBase64),
    ]),
  ])
}

/** undefined: not a valid message, for example one of another version. */
export function decodeMessage(text: string): ShareMessage | undefined {
  const list = parseJson(text)
  if (!Array.isArray(list) || typeof list[0] !== 'string') return undefined
  const backends: SharedBackend[] = []
  for (const row of list.slice(1)) {
    const backend = backendOf(row)
    if (backend === undefined) return undefined
    backends.push(backend)
  }
  return { from: list[0], backends }
}

function backendOf(row: Json): SharedBackend | undefined {
  if (!Array.isArray(row) || typeof row[0] !== 'string' || isObject(row)) return undefined
  const numbers = row.slice(1, 6)
  const prompts = row.slice(6)
  if (numbers.length < 5 || !numbers.every(isAmount) || !prompts.every(isText)) return undefined
  const [queuedMs, firstMs, headAgeMs, answers, promptTokens] = numbers as [number, number, number, number, number]
  return { id: row[0], queuedMs, firstMs, headAgeMs, answers, promptTokens, prompts: prompts.map(fromBase64) }
}

function isAmount(value: Json): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}

function toBase64(hashes: Int32Array): string {
  return Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('base64')
}

function fromBase64(text: string): Int32Array {
  const bytes = Buffer.from(text, 'base64')
  const hashes = new Int32Array(2 * Math.floor(bytes.length / 8))
  for (let i = 0; i < hashes.length; i++) hashes[i] = bytes.readInt32LE(4 * i)
  return hashes
}
