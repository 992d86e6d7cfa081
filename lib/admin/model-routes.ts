import type { JsonObject } from '../base/json.ts'
import { changeModel, createModel, deleteModel, modelList, modelOf } from './models.ts'
import type { AdminRoute } from './route.ts'

const MODEL = '/admin/v1/models/{id}'

/** The rows of models in the table of routes. */
export const MODEL_ROUTES: readonly AdminRoute[] = [
  {
    name: 'list-models',
    method: 'GET',
    path: '/admin/v1/models',
    summary: 'Models of the file, discovered ones, and those of the store',
    query: 'model-query',
    reply: 'model',
    list: 'models',
    handle: ({ context }) => modelList(context),
  },
  {
    name: 'create-model',
    method: 'POST',
    path: '/admin/v1/models',
    summary: 'Adds a model to the store',
    body: 'new-model',
    reply: 'model',
    status: 201,
    handle: ({ context, body }) => createModel(context, body as JsonObject),
  },
  {
    name: 'model',
    method: 'GET',
    path: MODEL,
    summary: 'One model; its id is percent-encoded',
    reply: 'model',
    handle: ({ context, params }) => modelOf(context, params.id!),
  },
  {
    name: 'change-model',
    method: 'PATCH',
    path: MODEL,
    summary: 'Changes a model of the store, or stores a changed model over that of the file or the discovered one',
    body: 'model-change',
    reply: 'model',
    handle: ({ context, params, body }) => changeModel(context, params.id!, body as JsonObject),
  },
  {
    name: 'delete-model',
    method: 'DELETE',
    path: MODEL,
    summary: 'Removes a model from the store; hides a model of the file or a discovered one',
    reply: 'model',
    handle: ({ context, params }) => deleteModel(context, params.id!),
  },
]
