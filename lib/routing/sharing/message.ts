import { isObject, type Json, parseJson } from '../../base/json.ts'

/** The report of one process about a backend. Times are milliseconds. */
export interface SharedBackend {
  /** A keyed hash, from which nobody else can derive the backend. */
  readonly id: string
  readonly load: SharedLoad
  /** Hashes of the chunks of each prompt that was sent to the backend since the last message. */
  readonly prompts: readonly Int32Array[]
  /** Absent: the process has no batches. */
  readonly lines?: SharedLines
}

/** The lines of batches at a backend, and their effects. */
export interface SharedLines {
  readonly load: SharedLoad
  readonly effects: SharedEffects
  readonly prompts: readonly Int32Array[]
}

/** LineEffects, with an age. */
export interface SharedEffects {
  readonly met: number
  readonly busy: number
  readonly requests: number
  readonly evictedMs: number
  readonly delayed: number
  /** Time since the last interactive request, up to a limit. */
  readonly interactiveAgeMs: number
}

/** A ProcessLoad, whose times are ages, because processes have different clocks. */
export interface SharedLoad {
  readonly queued: number
  readonly queuedMs: number
  readonly firstMs: number
  /** Time since the oldest queued prefill could start. */
  readonly headAgeMs: number
  readonly answers: number
  /** Sum of the times since these answers began. */
  readonly answersMs: number
  readonly promptTokens: number
  readonly newTokens: number
}

export interface ShareMessage {
  /** Id of the sending process. */
  readonly from: string
  readonly backends: readonly SharedBackend[]
  /** An interactive request needs the place of a line. */
  readonly wanted?: WantedPlace
}

/** Asks one process to cancel a line at a backend. */
interface WantedPlace {
  /** Of the backend, as in SharedBackend. */
  readonly id: string
  readonly process: string
}

/** The numbers of a row, in order. */
const LOAD: readonly (keyof SharedLoad)[] = [
  'queued',
  'queuedMs',
  'firstMs',
  'headAgeMs',
  'answers',
  'answersMs',
  'promptTokens',
  'newTokens',
]

const EFFECTS: readonly (keyof SharedEffects)[] = [
  'met',
  'busy',
  'requests',
  'evictedMs',
  'delayed',
  'interactiveAgeMs',
]

/** Rounds to microseconds, because digits are the largest part of a message. */
const round = (value: number) => Math.round(value * 1000) / 1000

export function encodeMessage({ from, backends, wanted }: ShareMessage): string {
  return JSON.stringify([
    from,
    ...(wanted === undefined ? [] : [[wanted.id, wanted.process]]),
    ...backends.map(({ id, load, prompts, lines }) => [
      id,
      ...LOAD.map(name => round(load[name])),
      ...(lines === undefined ? [] : [encodeLines(lines)]),
      ...prompts.map(toBase64),
    ]),
  ])
}

function encodeLines({ load, effects, prompts }: SharedLines): readonly (number | string)[] {
  const numbers = [...LOAD.map(name => load[name]), ...EFFECTS.map(name => effects[name])]
  return [...numbers.map(round), ...prompts.map(toBase64)]
}

/** undefined: not a valid message, for example one of another version. */
export function decodeMessage(text: string): ShareMessage | undefined {
  const list = parseJson(text)
  if (!Array.isArray(list) || typeof list[0] !== 'string') return undefined
  const backends: SharedBackend[] = []
  let wanted: WantedPlace | undefined
  for (const row of list.slice(1)) {
    if (Array.isArray(row) && row.length === 2 && row.every(isText)) {
      wanted = { id: row[0]!, process: row[1]! }
      continue
    }
    const backend = backendOf(row)
    if (backend === undefined) return undefined
    backends.push(backend)
  }
  return { from: list[0], backends, ...(wanted !== undefined && { wanted }) }
}

function backendOf(row: Json): SharedBackend | undefined {
  if (!Array.isArray(row) || typeof row[0] !== 'string' || isObject(row)) return undefined
  const load = numbersOf(row.slice(1), LOAD)
  const rest = row.slice(1 + LOAD.length)
  const lines = Array.isArray(rest[0]) ? linesOf(rest.shift() as readonly Json[]) : undefined
  if (load === undefined || lines === null || !rest.every(isText)) return undefined
  return { id: row[0], load, prompts: rest.map(fromBase64), ...(lines !== undefined && { lines }) }
}

/** null: not valid. */
function linesOf(list: readonly Json[]): SharedLines | null {
  const load = numbersOf(list, LOAD)
  const effects = numbersOf(list.slice(LOAD.length), EFFECTS)
  const prompts = list.slice(LOAD.length + EFFECTS.length)
  if (load === undefined || effects === undefined || !prompts.every(isText)) return null
  return { load, effects, prompts: prompts.map(fromBase64) }
}

/** The first elements of a list as members with these names. undefined: not valid. */
function numbersOf<K extends string>(list: readonly Json[], names: readonly K[]): Record<K, number> | undefined {
  const numbers = list.slice(0, names.length)
  if (numbers.length < names.length || !numbers.every(isAmount)) return undefined
  return Object.fromEntries(names.map((name, i) => [name, numbers[i]!])) as Record<K, number>
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
