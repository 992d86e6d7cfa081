import type { Format } from '../../canonical/format.ts'
import { clientParam, errorBody } from './errors.ts'
import { textRequest } from './request.ts'
import { TextResponse } from './response.ts'
import { TextStream } from './stream.ts'

/** OpenAI's text completions (docs/api/completions.md). */
export const completions: Format = {
  name: 'completions',
  request: textRequest,
  response: head => new TextResponse(head),
  stream: (head, write) => new TextStream(head, write),
  error: errorBody,
  param: clientParam,
}
