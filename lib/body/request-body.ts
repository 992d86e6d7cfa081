/** The body of a request: parsed from bytes, as plugins read it, and as it is sent to backends. */
import { isUtf8 } from 'node:buffer'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import { parseSource } from '../base/source-json.ts'
import type { Format, FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import { fail, type GatewayError } from '../errors/errors.ts'
import { MAX_DEPTH, notJson, type ScannedJson, scanJson, splitPoint } from './json-scan.ts'
import { LongTexts, makeLazy, withTemplates } from './lazy-text.ts'

/** The body of one request, from the client to the backends. */
export interface RequestBody {
  /** The client's JSON; empty after release(). */
  readonly value: JsonObject
  /** outgoing() may be called again, for another backend. */
  readonly isRepeatable: boolean
  /** The body has so many values that other exchanges run between its hooks. */
  readonly isHeavy: boolean
  /** Calls a check that does not depend on all characters of long texts: of types, members, lengths. */
  validate<T>(check: (body: JsonObject) => T): T
  /** Translates without decoding long texts. Throws the format's refusal. */
  translate(format: Format, options: FormatOptions): CanonicalRequest
  /** The body for a backend. `encode`: JSON of the canonical request, whose texts it copies without examining them. */
  outgoing(encode: () => JsonObject): OutgoingBody
  /** Drops the parsed body while a backend works. The canonical request keeps its texts. */
  release(): void
}

export interface ParsedBody {
  /** With a placeholder for each long text. */
  readonly value: Json
  /** null: the body has no long texts. */
  readonly texts: LongTexts | null
  /** Approximate number of JSON values. */
  readonly values: number
}

/** Bytes of a long text before its placeholder, for `data:image/png;base64,` or a line that a format removes. */
const START_BYTES = 256

/** Scans a body before it is parsed. Refuses an empty body, encodings other than UTF-8, and too many values. */
export function scanBody(bytes: Buffer, shortest?: number): ScannedJson {
  if (bytes.length === 0) fail('invalid_json_request', { problem: 'The body is empty: send a JSON object.' })
  if (!isUtf8(bytes)) fail('invalid_json_request', { problem: 'The body is not valid UTF-8.' })
  return scanJson(bytes, shortest)
}

/** Parses a scanned body. Refuses invalid JSON and deep nesting. `startBytes`: of a text, before its placeholder. */
export function parseBody(bytes: Buffer, scanned: ScannedJson, startBytes: number = START_BYTES): ParsedBody {
  const { values, depth, isExact } = scanned
  const texts = scanned.texts.length === 0 ? null : new LongTexts()
  const json = texts === null ? bytes.toString() : withPlaceholders(bytes, scanned, texts, startBytes)
  const value = isExact ? parseJson(json) : parseSource(json)
  if (value === undefined) notJson()
  if (depth > MAX_DEPTH) {
    const problem = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`
    fail('schema_validation_failed', { problem })
  }
  return { value, texts, values }
}

/** JSON that contains a body, such as a line of a batch. */
export interface Envelope {
  /** Long texts are cut off after their start. */
  readonly value: Json
  /** JSON of a part of `value`, with its whole texts. */
  bytesOf(part: Json): Buffer
}

/** Bytes of the shortest text of an envelope that is not decoded: for a shorter one, placeholders take longer. */
const MIN_ENVELOPE_TEXT = 64 * 1024

/** Parses JSON as parseBody() does: a long text is neither decoded nor encoded. */
export function parseEnvelope(bytes: Buffer): Envelope {
  const { value, texts } = parseBody(bytes, scanBody(bytes, MIN_ENVELOPE_TEXT))
  return {
    value,
    bytesOf(part) {
      const json = JSON.stringify(part)
      return texts === null ? Buffer.from(json) : Buffer.concat(texts.partsOf(json).map(bytesOf))
    },
  }
}

function withPlaceholders(bytes: Buffer, scanned: ScannedJson, texts: LongTexts, startBytes: number): string {
  let json = ''
  let at = 0
  for (const { from, to } of scanned.texts) {
    const cut = splitPoint(bytes.subarray(0, to), from, startBytes)
    json += bytes.toString('utf8', at, cut) + texts.add(bytes.subarray(cut, to))
    at = to
  }
  return json + bytes.toString('utf8', at)
}

export const NO_BODY: JsonObject = Object.freeze({})

/** Hooks of a body with more JSON values yield to the event loop. */
const HEAVY_VALUES = 20_000

/** A JSON body. Plugins read the whole text of every member. A long text is decoded when it is read. */
export class JsonBody implements RequestBody {
  readonly isRepeatable = true
  readonly isHeavy: boolean
  /** null: all texts are in `#parsed`. */
  readonly #texts: LongTexts | null
  #parsed: JsonObject
  #isLazy = false

  constructor(parsed: JsonObject, texts: LongTexts | null = null, values = 0) {
    this.#parsed = parsed
    this.#texts = texts
    this.isHeavy = values > HEAVY_VALUES
  }

  /** Members become lazy on the first call, because most plugins only read the canonical request. */
  get value(): JsonObject {
    if (this.#texts !== null && !this.#isLazy) makeLazy(this.#parsed, this.#texts)
    this.#isLazy = true
    return this.#parsed
  }

  validate<T>(check: (body: JsonObject) => T): T {
    return this.#withTemplates(() => check(this.#parsed))
  }

  translate(format: Format, options: FormatOptions): CanonicalRequest {
    const request = this.#withTemplates(() => format.toCanonical(this.#parsed, options))
    if (this.#texts !== null) this.#withTemplates(() => makeLazy(request, this.#texts!))
    return request
  }

  outgoing(encode: () => JsonObject): OutgoingBody {
    return outgoingJson(
      this.#withTemplates(() => JSON.stringify(encode())),
      this.#texts,
    )
  }

  release(): void {
    this.#parsed = NO_BODY
  }

  #withTemplates<T>(use: () => T): T {
    return this.#texts === null ? use() : withTemplates(this.#texts, use)
  }
}

/** The body of a request without one. */
export const EMPTY_BODY: RequestBody = new JsonBody(NO_BODY)

/** Refuses JSON that is not an object. */
export function requestBody({ value, texts, values }: ParsedBody): RequestBody {
  if (!isObject(value)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  return new JsonBody(value, texts, values)
}

/** Values such as roles and types, which are shorter than a long text. */
const WORD = /^[\w.-]*$/

/** A body in which all texts except single words are lazy, although they are short. For tests of plugins. */
export function lazyBody(body: JsonObject): RequestBody {
  const bytes = Buffer.from(JSON.stringify(body))
  const scanned = scanBody(bytes, 1)
  const texts = scanned.texts.filter(({ from, to }) => !WORD.test(bytes.toString('utf8', from, to)))
  return requestBody(parseBody(bytes, { ...scanned, texts }, 0))
}

// ------------------------------------------------------------ bodies for backends

/** The body of a request to a backend. It can be sent again, to this backend or another one. */
export interface OutgoingBody {
  /** Content length in bytes; undefined: unknown before the end of the body. */
  readonly length: number | undefined
  /** Absent: JSON. */
  readonly mediaType?: string
  /** Set if the body is sent while it arrives. */
  readonly arriving?: ArrivingBody | undefined
  /** The body for one request: a small one as a whole, a larger one in pieces. */
  open(): Buffer | Iterable<Buffer> | AsyncIterable<Buffer>
}

/** A body that is sent while it arrives. */
export interface ArrivingBody {
  /** The bytes that have been passed on are still in memory: the body can be sent again. */
  readonly isRepeatable: boolean
  /** Replaces an earlier listener. */
  watch(listener: ArrivalListener): void
}

/** Observes a body that is sent to a backend while it arrives. */
export interface ArrivalListener {
  /** The upload progressed. It now waits for this side. */
  onWait(side: 'client' | 'backend'): void
  /** The whole body has been passed on. */
  onSent(): void
  /** The rest of the body is refused, or does not arrive. */
  onRefused(error: GatewayError): void
}

/** Larger bodies are sent in pieces: the HTTP client keeps a body in one buffer until the response is complete. */
const MAX_WHOLE_BYTES = 4096

/** Parts are joined up to this size, because a write costs more than copying them. */
const JOINED_BYTES = 64 * 1024

/** A body from its JSON text. `texts` replace their placeholders in it. */
export function outgoingJson(json: string, texts: LongTexts | null = null): OutgoingBody {
  return new OutgoingJson(texts === null ? [Buffer.from(json)] : joined(texts.partsOf(json).map(bytesOf)))
}

function bytesOf(part: string | Buffer): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part
}

/** The same bytes in fewer parts. */
function joined(parts: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  let bytes = 0
  const join = () => {
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
    bytes = 0
  }
  for (const part of parts) {
    if (bytes + part.length > JOINED_BYTES) join()
    if (part.length > JOINED_BYTES) joined.push(part)
    else {
      small.push(part)
      bytes += part.length
    }
  }
  join()
  return joined
}

class OutgoingJson implements OutgoingBody {
  readonly length: number
  readonly #parts: readonly Buffer[]

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, { length }) => sum + length, 0)
  }

  open(): Buffer | Iterable<Buffer> {
    return this.length <= MAX_WHOLE_BYTES ? this.#parts[0]! : taken([...this.#parts])
  }
}

/** Yields the parts, and drops each that it has yielded. */
function* taken(parts: Buffer[]): Generator<Buffer> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
}
