import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { Sampling, TextRequest } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { CompletionsBody } from './body.ts'
import { outputConstraint } from './constraint.ts'

/**
 * A body that schemas/bodies/completions.json accepted, as a canonical request (docs/api/completions.md#request).
 * Without max_tokens the backend's own limit holds.
 */
export function textRequest(json: JsonObject, options: FormatOptions): TextRequest {
  const body = json as unknown as CompletionsBody
  return {
    kind: 'text',
    model: body.model,
    stream: body.stream === true,
    n: body.n ?? 1,
    maxTokens: body.max_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('completions'),
    stop: stopList(body),
    sampling: sampling(body),
    ...outputConstraint(body),
    prompt: body.prompt,
    echo: body.echo ?? undefined,
    suffix: body.suffix ?? undefined,
    bestOf: bestOf(body),
  }
}

function stopList({ stop }: CompletionsBody): string[] | undefined {
  if (stop == null || stop.length === 0) return undefined
  return typeof stop === 'string' ? [stop] : stop
}

const SAMPLING = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'logit_bias',
  'logprobs',
] as const satisfies readonly (keyof Sampling & keyof CompletionsBody)[]

function sampling(body: CompletionsBody): Sampling {
  const given = SAMPLING.filter(name => body[name] != null).map(name => [name, body[name]])
  return Object.fromEntries(given) as Sampling
}

function bestOf({ best_of, n }: CompletionsBody): number | undefined {
  if (best_of != null && best_of < (n ?? 1)) {
    fail('schema_validation_failed', { problem: "'best_of' must not be less than 'n'." }, { param: 'best_of' })
  }
  return best_of ?? undefined
}
