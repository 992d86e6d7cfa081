import type { Format } from '../../canonical/format.ts'
import { clientParam, errorBody } from './errors.ts'
import { chatRequest } from './request.ts'
import { ChatResponse } from './response.ts'
import { ChatStream } from './stream.ts'

/** OpenAI's chat completions (docs/api/chat-completions.md). */
export const chat: Format = {
  name: 'chat',
  request: chatRequest,
  response: head => new ChatResponse(head),
  stream: (head, write) => new ChatStream(head, write),
  error: errorBody,
  param: clientParam,
}
