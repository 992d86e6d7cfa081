import type { JsonObject } from '../../base/json.ts'
import type { ErrorBody } from '../../errors/errors.ts'

/** The body of an error response, and the data of an in-band error (docs/api/errors.md#envelope). */
export function toErrorBody(body: ErrorBody): JsonObject {
  return { error: body }
}

/** Canonical paths have OpenAI's names. Chat completions have a second name for `max_tokens`. */
export function toClientParam(canonical: string, body?: JsonObject): string {
  const isRenamed = canonical === 'max_tokens' && body?.max_tokens == null && body?.max_completion_tokens != null
  return isRenamed ? 'max_completion_tokens' : canonical
}
