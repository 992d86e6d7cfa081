/** The operations of batches. */
import { BODY, KEY, LINES, type Operation } from './operation.ts'

const BATCHES = [...KEY, 'files_require_user_key', 'rate_limit_exceeded'] as const
const NEW_BATCH = [...BATCHES, 'file_id_not_allowed_with_zdr', ...BODY, 'batch_limit_exceeded'] as const
const BATCH_LIST = [...BATCHES, 'schema_validation_failed', 'unsupported_parameter'] as const

export const BATCH_OPERATIONS = {
  'batch-list': {
    tag: 'Batches',
    summary: "The batches of the key's user",
    query: 'batch-list',
    reply: 'batch-list',
    errors: BATCH_LIST,
  },
  'batch-create': {
    tag: 'Batches',
    summary: 'A batch of the requests in an uploaded file',
    reply: 'batch',
    errors: [...NEW_BATCH, 'http_404'],
  },
  batch: { tag: 'Batches', summary: 'The state of a batch', reply: 'batch', errors: [...BATCHES, 'http_404'] },
  'batch-cancel': { tag: 'Batches', summary: 'Cancels a batch', reply: 'batch', errors: [...BATCHES, 'http_404'] },
  'message-batch-list': {
    tag: 'Batches',
    summary: "The batches of the Messages API of the key's user",
    query: 'message-batch-list',
    reply: 'message-batch-list',
    errors: BATCH_LIST,
  },
  'message-batch-create': {
    tag: 'Batches',
    summary: 'A batch of Messages requests',
    reply: 'message-batch',
    errors: NEW_BATCH,
  },
  'message-batch': {
    tag: 'Batches',
    summary: 'The state of a batch',
    reply: 'message-batch',
    errors: [...BATCHES, 'http_404'],
  },
  'message-batch-delete': {
    tag: 'Batches',
    summary: 'Deletes a batch that has ended, and its results',
    reply: 'message-batch-deleted',
    errors: [...BATCHES, 'http_404', 'http_400'],
  },
  'message-batch-cancel': {
    tag: 'Batches',
    summary: 'Cancels a batch',
    reply: 'message-batch',
    errors: [...BATCHES, 'http_404'],
  },
  'message-batch-results': {
    tag: 'Batches',
    summary: 'The results of a batch that has ended, one a line',
    reply: LINES,
    errors: [...BATCHES, 'http_404', 'http_400'],
  },
} as const satisfies Readonly<Record<string, Operation>>
