import type { Json, JsonObject } from '../base/json.ts'
import type { Steps } from '../base/steps.ts'
import type { Format, FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { DetachedTexts } from './large/texts.ts'
import type { OutgoingBody } from './outgoing.ts'

/** JSON as it was received and parsed. */
export interface ReadBody {
  readonly value: Json
  /** Bytes as received. */
  readonly size: number
  /** Bytes of heap that the parsed value takes, about (weight.ts). */
  readonly weight: number
  /** Of a large body; null: a small one. */
  readonly large: {
    readonly texts: DetachedTexts
    /** About how many JSON values it holds. */
    readonly values: number
  } | null
}

/** The body of one request, from the client to the backends. */
export interface RequestBody {
  /** The client's JSON; empty when it was released. */
  readonly value: JsonObject
  /** outgoing() may be called again, for another backend. */
  readonly isRepeatable: boolean
  /** Holds more than 20,000 JSON values: hooks must yield to the event loop. */
  readonly isHeavy: boolean
  /** Runs a check that does not depend on the characters of long texts: on types, members, lengths. */
  validate<T>(check: (body: JsonObject) => T): T
  /** Translates without reading long texts. Throws the format's refusal. */
  translate(format: Format, options: FormatOptions): Steps<CanonicalRequest>
  /**
   * The body for a backend. `encode` returns JSON that was made of the canonical request; it copies texts and does not look
   * into them.
   */
  outgoing(encode: () => Steps<JsonObject>, pool: BufferPool): OutgoingBody | Promise<OutgoingBody>
  /** Drops the parsed body, so that it is not in memory while a backend works. The canonical request keeps its texts. */
  release(): void
}

export const NO_BODY: JsonObject = Object.freeze({})
