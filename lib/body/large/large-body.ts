import type { JsonObject } from '../../base/json.ts'
import { inTurns, type Steps } from '../../base/steps.ts'
import { nextTurn } from '../../base/turns.ts'
import type { Format, FormatOptions } from '../../canonical/format.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { BufferList } from '../buffer-list.ts'
import type { BufferPool } from '../buffer-pool.ts'
import { HEAVY_VALUES } from '../json-limits.ts'
import { type OutgoingBody, outgoingParts, textBody } from '../outgoing.ts'
import { NO_BODY, type RequestBody } from '../request-body.ts'
import { holdMessagesWhenRead } from './access.ts'
import { holdTexts } from './accessors.ts'
import { type HoldContext, showInSteps, showPlaceholders } from './held.ts'
import { jsonPieces } from './json-pieces.ts'
import { CONVERSATION } from './position.ts'
import type { DetachedTexts } from './texts.ts'

/** Members of a canonical request that hold texts: of a text completion, and what the reply repeats of the request. */
const CANONICAL = ['prompt', 'echo'] as const

/** A body above LARGE_BYTES. Its long texts are kept as bytes: decoded where a plugin reads them, and nowhere else. */
export class LargeBody implements RequestBody {
  readonly isHeavy: boolean
  readonly isRepeatable = true
  readonly #texts: DetachedTexts
  /** null: released. */
  #parsed: JsonObject | null
  #isHolding = false

  /** `parsed`: with placeholders. `values`: about how many JSON values it holds. */
  constructor(parsed: JsonObject, texts: DetachedTexts, values: number) {
    this.#parsed = parsed
    this.#texts = texts
    this.isHeavy = values > HEAVY_VALUES
  }

  /** Accessors are made for the first plugin that asks for the body: nearly none does, they ask for the canonical request. */
  get value(): JsonObject {
    if (this.#parsed === null) return NO_BODY
    if (!this.#isHolding) {
      this.#isHolding = true
      this.#hold(this.#parsed)
    }
    return this.#parsed
  }

  validate<T>(check: (body: JsonObject) => T): T {
    return showPlaceholders(this.#texts, () => check(this.#parsed ?? NO_BODY))
  }

  *translate(format: Format, options: FormatOptions): Steps<CanonicalRequest> {
    const request = yield* showInSteps(this.#texts, format.toCanonicalInSteps(this.#parsed ?? NO_BODY, options))
    const context: HoldContext = { texts: this.#texts, escapes: 1 }
    if (this.#texts.count === 0) return request
    const { isElsewhere } = this.#texts
    const members = isElsewhere ? Object.keys(request).filter(name => name !== 'messages') : CANONICAL
    showPlaceholders(this.#texts, () => holdTexts(request, members, context))
    if (request.kind === 'chat') holdMessagesWhenRead(request, context)
    return request
  }

  async outgoing(encode: () => Steps<JsonObject>, pool: BufferPool): Promise<OutgoingBody> {
    const show = <T>(use: () => T) => showPlaceholders(this.#texts, use)
    const encoded = await inTurns(showInSteps(this.#texts, encode()))
    const body = show(() => withOwnArrays(encoded))
    const pieces = await jsonPieces(body, show, this.#texts.token)
    if (pieces.length === 1 && this.#texts.count === 0) return textBody(pieces[0]!, pool)
    const list = new BufferList()
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) await nextTurn()
      this.#texts.attach(piece, list)
    }
    return outgoingParts(list, pool)
  }

  release(): void {
    this.#parsed = null
  }

  #hold(body: JsonObject): void {
    if (this.#texts.count === 0) return
    const members = this.#texts.isElsewhere ? Object.keys(body) : CONVERSATION
    showPlaceholders(this.#texts, () => holdTexts(body, members, { texts: this.#texts, escapes: 2 }))
  }
}

/** Arrays of the canonical request itself, as a list of prompts is, with placeholders in place of their accessors. */
function withOwnArrays(body: JsonObject): JsonObject {
  for (const name of Object.keys(body)) {
    const value = body[name]
    if (Array.isArray(value)) body[name] = value.slice()
  }
  return body
}
