/** The routes of batches in the operators' API. */
import { type BatchQuery, batchList, batchWithId, cancelBatchOf, pauseBatches, resumeBatches } from './batches.ts'
import type { AdminRoute } from './route.ts'

interface ModelBody {
  readonly model: string
}

export const BATCH_ROUTES: readonly AdminRoute[] = [
  {
    name: 'list-batches',
    method: 'GET',
    path: '/admin/v1/batches',
    summary: 'Batches of all accounts, newest first; the first page also has the backlog and the paused models',
    query: 'batch-query',
    reply: 'batch',
    list: 'batches',
    handle: ({ context, query }) => batchList(context, query as BatchQuery),
  },
  {
    name: 'batch',
    method: 'GET',
    path: '/admin/v1/batches/{id}',
    summary: 'One batch of any account',
    reply: 'batch',
    handle: ({ context, params }) => batchWithId(context, params.id!),
  },
  {
    name: 'cancel-batch',
    method: 'POST',
    path: '/admin/v1/batches/{id}/cancel',
    summary: 'Cancels a batch; its owner keeps the results of what is done',
    reply: 'batch',
    handle: ({ context, params }) => cancelBatchOf(context, params.id!),
  },
  {
    name: 'pause-batches',
    method: 'POST',
    path: '/admin/v1/batches/pause',
    summary: 'Sends no further requests of batches for a model; those in flight go on',
    body: 'batch-model',
    handle: ({ context, body }) => pauseBatches(context, body as ModelBody),
  },
  {
    name: 'resume-batches',
    method: 'POST',
    path: '/admin/v1/batches/resume',
    summary: 'Sends requests of batches for a model again',
    body: 'batch-model',
    handle: ({ context, body }) => resumeBatches(context, body as ModelBody),
  },
]
