import type { Format } from '../../canonical/format.ts'
import { errorBody, param } from './errors.ts'
import { readRequest } from './request.ts'
import { ResponseCollector } from './response.ts'
import { ResponseStream } from './stream.ts'

/** POST /v1/responses, stateless. See docs/api/responses.md. */
export const responses: Format = {
  name: 'responses',
  request: readRequest,
  response: head => new ResponseCollector(head),
  stream: (head, write) => new ResponseStream(head, write),
  error: errorBody,
  param,
}
