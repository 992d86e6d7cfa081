import type { Format } from '../../canonical/format.ts'
import { toClientParam, toErrorBody } from './errors.ts'
import { toCanonical } from './request.ts'
import { ResponseCollector } from './response.ts'
import { StreamEncoder } from './stream.ts'

/** OpenAI's Responses, stateless (docs/api/responses.md). */
export const responses: Format = {
  name: 'responses',
  toCanonical,
  collector: context => new ResponseCollector(context),
  encoder: (context, write) => new StreamEncoder(context, write),
  toErrorBody,
  toClientParam,
}
