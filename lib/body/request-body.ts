import { isObject, type JsonObject } from '../base/json.ts'
import type { Format, FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import { fail } from '../errors/errors.ts'
import type { ArrivingBody } from './form/arriving.ts'
import { makeLazy, withTemplates } from './lazy-members.ts'
import { type LongTexts, type ParsedBody, parseBody, scanBody } from './parse.ts'

/** The body of one request, from the client to the backends. */
export interface RequestBody {
  /** The client's JSON; empty when it was released. */
  readonly value: JsonObject
  /** outgoing() may be called again, for another backend. */
  readonly isRepeatable: boolean
  /** Hooks yield to the event loop between each other. */
  readonly isHeavy: boolean
  /** Runs a check that does not depend on all characters of long texts: on types, members, lengths. */
  validate<T>(check: (body: JsonObject) => T): T
  /** Translates without decoding long texts. Throws the format's refusal. */
  translate(format: Format, options: FormatOptions): CanonicalRequest
  /**
   * The body for a backend. `encode` returns JSON that was made of the canonical request; it copies texts and does not look
   * into them.
   */
  outgoing(encode: () => JsonObject): OutgoingBody
  /** Drops the parsed body, so that it is not in memory while a backend works. The canonical request keeps its texts. */
  release(): void
}

export const NO_BODY: JsonObject = Object.freeze({})

/** JSON values above which hooks of one request yield to the event loop between each other. */
const HEAVY_VALUES = 20_000

/** A JSON body. Plugins see the whole text of every member; a long one is decoded when it is read. */
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

  /** Members become lazy when a plugin asks for the body: most plugins ask for the canonical request. */
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

/** Of a request that has none. */
export const EMPTY_BODY: RequestBody = new JsonBody(NO_BODY)

/** Refuses JSON that is no object. */
export function requestBody({ value, texts, values }: ParsedBody): RequestBody {
  if (!isObject(value)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  return new JsonBody(value, texts.count === 0 ? null : texts, values)
}

/** Values such as roles and types. A long text is none of them. */
const WORD = /^[\w.-]*$/

/** A body in which texts are lazy although they are short, words excepted. For tests of plugins. */
export function lazyBody(body: JsonObject): RequestBody {
  const bytes = Buffer.from(JSON.stringify(body))
  const scanned = scanBody(bytes, 1)
  const texts = scanned.texts.filter(({ from, to }) => !WORD.test(bytes.toString('utf8', from, to)))
  return requestBody(parseBody(bytes, { ...scanned, texts }, 0))
}

/** The body of a request to a backend. It can be sent again, to the same backend or another one. */
export interface OutgoingBody {
  /** Content length in bytes; undefined: not known before its end. */
  readonly length: number | undefined
  /** Absent: JSON. */
  readonly mediaType?: string
  /** Set where the body has not arrived completely when it is sent. */
  readonly arriving?: ArrivingBody | undefined
  /** The body for one request: a small one as a whole, a larger one in pieces. */
  open(): Buffer | Iterable<Buffer> | AsyncIterable<Buffer>
}

/**
 * Largest body that is sent as one buffer, together with the request head. The HTTP client keeps that buffer until the
 * response is complete, and nothing of a body that it takes in pieces.
 */
const MAX_WHOLE_BYTES = 4096

/** Parts are joined up to this size, because a write costs more than copying them. */
const JOINED_BYTES = 64 * 1024

/** A body from its JSON text, in which `texts` fill their placeholders. */
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

/** Yields the parts, and keeps none that it has yielded. */
function* taken(parts: Buffer[]): Generator<Buffer> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
}
