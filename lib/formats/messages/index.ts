import type { Format } from '../../canonical/format.ts'
import { errorBody, param } from './errors.ts'
import { readRequest } from './request.ts'
import { MessagesResponse } from './response.ts'
import { MessagesStream } from './stream.ts'

/** POST /v1/messages and its count_tokens (docs/api/messages.md, docs/api/count-tokens.md). */
export const messages: Format = {
  name: 'messages',
  request: readRequest,
  response: head => new MessagesResponse(head),
  stream: (head, write) => new MessagesStream(head, write),
  error: errorBody,
  param,
}
