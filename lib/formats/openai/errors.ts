import type { JsonObject } from '../../base/json.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** The body of an error response, and the data of an in-band error (docs/api/errors.md#envelope). */
export function toErrorBody(body: ErrorBody): JsonObject {
  return { error: body }
}

/** Canonical paths have OpenAI's names. */
export function toClientParam(canonical: string): string {
  return canonical
}
