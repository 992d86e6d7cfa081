import type { Format } from '../../canonical/format.ts'
import { toClientParam, toErrorBody } from './errors.ts'
import { toCanonical } from './request.ts'
import { ResponseCollector } from './response.ts'
import { StreamEncoder } from './stream.ts'

/** Anthropic's Messages: POST /v1/messages and its count_tokens (docs/api/messages.md, docs/api/count-tokens.md). */
export const messages: Format = {
  name: 'messages',
  toCanonical,
  collector: context => new ResponseCollector(context),
  encoder: (context, write) => new StreamEncoder(context, write),
  toErrorBody,
  toClientParam,
}
