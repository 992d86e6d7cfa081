import type { FormatName } from '../canonical/format.ts'
import type { ModelConfig } from '../config/config.ts'
import type { Surface } from '../config/surface.ts'

export type { Surface }

/** The purpose of a model: `kind` in the configuration. */
type ModelKind = ModelConfig['kind']

/** A row of the route table. */
export interface Route {
  /** Label in metrics, logs and chains: `chat`, `model-list`. */
  readonly name: string
  /** HEAD is served on the rows of GET. */
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `{name}` matches one segment. */
  readonly path: string
  /** The last `{name}` matches the rest of the path, slashes included. */
  readonly hasRest?: boolean
  readonly surfaces: readonly Surface[]
  /** The wire format of request, reply and errors. */
  readonly format: FormatName
  /** Kind of the models that serve the route; null: none do. */
  readonly kind: ModelKind | null
  /** True: a backend replies. False: a plugin replies. */
  readonly proxied: boolean
  /** The body is translated to a canonical request. */
  readonly canonical: boolean
  /** The required credential: an API key, a console session, a console session in place of a key, or none. */
  readonly access: 'key' | 'session' | 'visitor' | 'public'
  /** The body is multipart/form-data with these files, which is sent while it arrives. false: the body is JSON. */
  readonly form: 'audio' | 'image' | false
  /** Name of the body's schema in schemas/bodies; null: the body is not read. */
  readonly body: string | null
  /** Path of a proxied request below the backend's base URL; null: not proxied. See also `root_paths` of a profile. */
  readonly upstream: string | null
  /** The member of the configuration without which the route does not exist. */
  readonly feature?: 'batches' | 'docs' | 'console.alerts'
}

const inference = {
  method: 'POST',
  surfaces: ['gateway', 'dedicated'],
  kind: 'chat',
  proxied: true,
  canonical: true,
  form: false,
  access: 'key',
} as const
/** Byte pipes. */
const pipe = { ...inference, format: 'chat', canonical: false } as const
const page = {
  method: 'GET',
  surfaces: ['gateway', 'api', 'dedicated'],
  format: 'chat',
  kind: null,
  proxied: false,
  canonical: false,
  form: false,
  access: 'public',
  body: null,
  upstream: null,
} as const
/** Files of clients. An upload is a form that the plugin reads itself. */
const file = { ...page, surfaces: ['gateway'], access: 'key' } as const
const batch = { ...file, feature: 'batches' } as const
const msgBatch = { ...batch, format: 'messages' } as const
/** Pages of the console about batches, and about alerts. */
const batchPage = { ...page, surfaces: ['gateway', 'api'], feature: 'batches' } as const
const alertPage = { ...batchPage, feature: 'console.alerts' } as const
/** Reports about the account, from the store. */
const report = { ...page, surfaces: ['api'], access: 'key' } as const

/** All routes. Plugins filter by these columns. */
export const ROUTES = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    format: 'chat',
    body: 'chat-completions',
    upstream: '/chat/completions',
    ...inference,
  },
  {
    name: 'completions',
    path: '/v1/completions',
    format: 'completions',
    body: 'completions',
    upstream: '/completions',
    ...inference,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    format: 'messages',
    body: 'messages',
    upstream: '/chat/completions',
    ...inference,
  },
  {
    name: 'count-tokens',
    path: '/v1/messages/count_tokens',
    format: 'messages',
    body: 'count-tokens',
    upstream: null,
    ...inference,
    proxied: false,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    format: 'responses',
    body: 'responses',
    upstream: '/chat/completions',
    ...inference,
    surfaces: ['gateway'],
  },
  {
    name: 'embeddings',
    path: '/v1/embeddings',
    body: 'embeddings',
    upstream: '/embeddings',
    ...pipe,
    kind: 'embedding',
  },
  { name: 'rerank', path: '/v1/rerank', body: 'rerank', upstream: '/rerank', ...pipe, kind: 'rerank' },
  { name: 'rerank-v2', path: '/v2/rerank', body: 'rerank', upstream: '/rerank', ...pipe, kind: 'rerank' },
  { name: 'score', path: '/v1/score', body: 'score', upstream: '/score', ...pipe, kind: 'score' },
  { name: 'classify', path: '/v1/classify', body: 'classify', upstream: '/classify', ...pipe, kind: 'classify' },
  {
    name: 'transcriptions',
    path: '/v1/audio/transcriptions',
    body: 'transcriptions',
    upstream: '/audio/transcriptions',
    ...pipe,
    kind: 'transcription',
    form: 'audio',
  },
  {
    name: 'translations',
    path: '/v1/audio/translations',
    body: 'translations',
    upstream: '/audio/translations',
    ...pipe,
    kind: 'transcription',
    form: 'audio',
  },
  { name: 'speech', path: '/v1/audio/speech', body: 'speech', upstream: '/audio/speech', ...pipe, kind: 'speech' },
  {
    name: 'image-generations',
    path: '/v1/images/generations',
    body: 'image-generations',
    upstream: '/images/generations',
    ...pipe,
    kind: 'image',
  },
  {
    name: 'image-edits',
    path: '/v1/images/edits',
    body: 'image-edits',
    upstream: '/images/edits',
    ...pipe,
    kind: 'image',
    form: 'image',
  },
  {
    name: 'moderations',
    path: '/v1/moderations',
    body: 'moderations',
    upstream: '/moderations',
    ...pipe,
    kind: 'moderation',
  },
  { name: 'model-list', path: '/v1/models', ...page, surfaces: ['gateway', 'dedicated'], access: 'key' },
  {
    name: 'model-card',
    path: '/v1/models/{model_id}',
    hasRest: true,
    ...page,
    surfaces: ['gateway', 'dedicated'],
    access: 'key',
  },
  { name: 'file-list', path: '/v1/files', ...file },
  { name: 'file-upload', path: '/v1/files', ...file, method: 'POST' },
  { name: 'file', path: '/v1/files/{file_id}', ...file },
  { name: 'file-content', path: '/v1/files/{file_id}/content', ...file },
  { name: 'file-delete', path: '/v1/files/{file_id}', ...file, method: 'DELETE' },
  { name: 'batch-list', path: '/v1/batches', ...batch },
  { name: 'batch-create', path: '/v1/batches', ...batch, method: 'POST', body: 'batch' },
  { name: 'batch', path: '/v1/batches/{batch_id}', ...batch },
  { name: 'batch-cancel', path: '/v1/batches/{batch_id}/cancel', ...batch, method: 'POST' },
  { name: 'message-batch-list', path: '/v1/messages/batches', ...msgBatch },
  { name: 'message-batch-create', path: '/v1/messages/batches', ...msgBatch, method: 'POST', body: 'message-batch' },
  { name: 'message-batch', path: '/v1/messages/batches/{batch_id}', ...msgBatch },
  { name: 'message-batch-delete', path: '/v1/messages/batches/{batch_id}', ...msgBatch, method: 'DELETE' },
  { name: 'message-batch-cancel', path: '/v1/messages/batches/{batch_id}/cancel', ...msgBatch, method: 'POST' },
  { name: 'message-batch-results', path: '/v1/messages/batches/{batch_id}/results', ...msgBatch },
  { name: 'endpoints', path: '/v1/endpoints', ...report },
  { name: 'endpoint-metrics', path: '/v1/endpoints/metrics', ...report },
  { name: 'endpoint-requests', path: '/v1/endpoints/requests', ...report },
  { name: 'endpoint-request', path: '/v1/endpoints/requests/{request_id}', ...report },
  { name: 'usage-me', path: '/v1/usage/me', ...report, surfaces: ['gateway', 'api'] },
  { name: 'usage-team', path: '/v1/usage/team', ...report, surfaces: ['gateway', 'api'] },
  { name: 'serverless-keys', path: '/v1/serverless/keys', ...report, surfaces: ['gateway', 'api'], access: 'session' },
  { name: 'console', path: '/console', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-find', path: '/console/find', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-usage', path: '/console/usage', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-usage-csv', path: '/console/usage.csv', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-requests', path: '/console/requests', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-requests-live', path: '/console/live/requests', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-request', path: '/console/requests/{request_id}', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-try', path: '/console/try', ...page, surfaces: ['gateway', 'api'] },
  {
    name: 'console-try-chat',
    path: '/console/try/chat/completions',
    format: 'chat',
    body: 'chat-completions',
    upstream: '/chat/completions',
    ...inference,
    surfaces: ['gateway'],
    access: 'visitor',
  },
  { name: 'console-keys', path: '/console/keys', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-key-create', path: '/console/keys', ...page, surfaces: ['gateway', 'api'], method: 'POST' },
  { name: 'console-key', path: '/console/keys/{key_id}', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-key-change', path: '/console/keys/{key_id}', ...page, surfaces: ['gateway', 'api'], method: 'POST' },
  { name: 'console-batches', path: '/console/batches', ...batchPage },
  { name: 'console-batch-start', path: '/console/batches', ...batchPage, method: 'POST' },
  { name: 'console-batch', path: '/console/batches/{batch_id}', ...batchPage },
  { name: 'console-batch-cancel', path: '/console/batches/{batch_id}/cancel', ...batchPage, method: 'POST' },
  { name: 'console-batch-file', path: '/console/batches/{batch_id}/{file}', ...batchPage },
  { name: 'console-alerts', path: '/console/alerts', ...alertPage },
  { name: 'console-alert-create', path: '/console/alerts', ...alertPage, method: 'POST' },
  { name: 'console-alert-change', path: '/console/alerts/{alert_id}', ...alertPage, method: 'POST' },
  { name: 'console-logout', path: '/console/logout', ...page, surfaces: ['gateway', 'api'], method: 'POST' },
  { name: 'console-login', path: '/console/login', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-sign-in', path: '/console/login', ...page, surfaces: ['gateway', 'api'], method: 'POST' },
  { name: 'console-oidc', path: '/console/login/oidc', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-oidc-callback', path: '/console/login/oidc/callback', ...page, surfaces: ['gateway', 'api'] },
  { name: 'console-asset', path: '/console/assets/{version}/{file}', ...page, surfaces: ['gateway', 'api'] },
  { name: 'openapi', path: '/openapi.json', ...page },
  { name: 'landing', path: '/', ...page },
  { name: 'error-docs', path: '/docs/errors/{code}', ...page },
  { name: 'error-docs-index', path: '/docs/errors', ...page },
  { name: 'docs', path: '/docs', ...page, surfaces: ['gateway', 'api'], feature: 'docs' },
  { name: 'docs-home', path: '/docs/', ...page, surfaces: ['gateway', 'api'], feature: 'docs' },
  { name: 'docs-page', path: '/docs/{path}', hasRest: true, ...page, surfaces: ['gateway', 'api'], feature: 'docs' },
] as const satisfies readonly Route[]

/** The rows that a gateway with this configuration serves. */
export function servedRoutes(
  config: {
    readonly [F in 'batches' | 'docs']?: object | boolean | undefined
  } & { readonly console?: { readonly alerts?: boolean } },
): readonly Route[] {
  const features = { ...config, 'console.alerts': config.console?.alerts }
  return (ROUTES as readonly Route[]).filter(({ feature }) => feature === undefined || Boolean(features[feature]))
}

/** The name of a row. */
export type RouteName = (typeof ROUTES)[number]['name']

/** The pseudo-route of a request that no row serves. Its error response passes through onSend and onFinish. */
export const UNMATCHED: Route = { name: 'unmatched', path: '*', ...page }

/** The pseudo-route for paths of the Messages API, whose errors have their own envelope. */
export const UNMATCHED_MESSAGES: Route = { ...UNMATCHED, name: 'unmatched-messages', format: 'messages' }

/** The pseudo-route of a path that no row serves. */
export function unmatched(path: string): Route {
  return path.startsWith('/v1/messages') ? UNMATCHED_MESSAGES : UNMATCHED
}

/** The pseudo-route of a browser at a path of the console that is no page. Other clients get the error of UNMATCHED. */
export const CONSOLE_MISSING: Route = { ...UNMATCHED, name: 'console-missing', surfaces: ['gateway', 'api'] }

/** A CORS preflight request. Matched only if the configuration allows other origins. */
export const PREFLIGHT: Route = { ...UNMATCHED, name: 'preflight' }
