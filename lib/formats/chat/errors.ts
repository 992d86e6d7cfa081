import type { JsonObject } from '../../base/json.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** Body of an error answer, and the data of an in-band error event (docs/api/errors.md#envelope). */
export function errorBody(body: ErrorBody): JsonObject {
  return { error: body }
}

/** Canonical names are this format's own. */
export function clientParam(canonical: string): string {
  return canonical
}
