import { isObject, type JsonObject } from '../base/json.ts'
import { atOnce, type Steps } from '../base/steps.ts'
import type { Format, FormatOptions } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import { fail } from '../errors/errors.ts'
import type { BufferPool } from './buffer-pool.ts'
import { LargeBody } from './large/large-body.ts'
import { type OutgoingBody, textBody } from './outgoing.ts'
import { NO_BODY, type ReadBody, type RequestBody } from './request-body.ts'

/** A body that was parsed as a whole. */
export class SmallBody implements RequestBody {
  value: JsonObject

  constructor(value: JsonObject) {
    this.value = value
  }

  get isHeavy(): boolean {
    return false
  }

  get isRepeatable(): boolean {
    return true
  }

  validate<T>(check: (body: JsonObject) => T): T {
    return check(this.value)
  }

  translate(format: Format, options: FormatOptions): Steps<CanonicalRequest> {
    return format.toCanonicalInSteps(this.value, options)
  }

  outgoing(encode: () => Steps<JsonObject>, pool: BufferPool): OutgoingBody {
    return textBody(JSON.stringify(atOnce(encode())), pool)
  }

  release(): void {
    this.value = NO_BODY
  }
}

/** Of a request that has none. */
export const EMPTY_BODY: RequestBody = new SmallBody(NO_BODY)

/** Refuses JSON that is no object. */
export function requestBody({ value, large }: ReadBody): RequestBody {
  if (!isObject(value)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  return large === null ? new SmallBody(value) : new LargeBody(value, large.texts, large.values)
}
