import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { TextRequest } from '../../canonical/request.ts'
import { readSampling } from '../../canonical/sampling.ts'
import { fail } from '../../errors/errors.ts'
import { readStop } from '../openai/request.ts'
import { readConstraint } from './constraint.ts'
import type { CompletionsBody } from './generated/body.ts'

/**
 * A body that schemas/bodies/completions.json accepted, as a canonical request (docs/api/completions.md#request).
 * Without max_tokens the backend's own limit applies.
 */
export function toCanonical(json: JsonObject, options: FormatOptions): TextRequest {
  const body: CompletionsBody = json as JsonObject & CompletionsBody
  return {
    kind: 'text',
    model: body.model,
    stream: body.stream === true,
    n: body.n ?? 1,
    maxTokens: body.max_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('completions'),
    stop: readStop(body.stop),
    sampling: readSampling(body),
    ...readConstraint(body),
    // Readonly in the body only: the canonical request owns it from here on.
    prompt: body.prompt as TextRequest['prompt'],
    echo: body.echo ?? undefined,
    suffix: body.suffix ?? undefined,
    bestOf: readBestOf(body),
  }
}

function readBestOf({ best_of, n }: CompletionsBody): number | undefined {
  if (best_of != null && best_of < (n ?? 1)) {
    fail('schema_validation_failed', { problem: "'best_of' must not be less than 'n'." }, { param: 'best_of' })
  }
  return best_of ?? undefined
}
