/** What the OpenAPI document says about each route in addition to the route table. The type requires all routes. */
import type { RouteName } from '../../../lib/console.ts'
import { BATCH_OPERATIONS } from './batch-operations.ts'
import { AUDIO, BODY, BYTES, KEY, type Operation } from './operation.ts'

const MODEL = [
  ...KEY,
  ...BODY,
  'model_not_found',
  'model_not_allowed',
  'model_zdr_not_supported',
  'unsupported_feature',
  'context_length_exceeded',
  'model_request_rejected',
  'no_healthy_backends',
] as const

const TOOLS = [
  'tool_schema_invalid',
  'tool_choice_unknown_tool',
  'duplicate_tool_name',
  'orphan_tool_message',
  'missing_tool_call_id',
  'json_schema_refs_unsupported',
] as const

/** Uploaded files in a request. */
const FILE_IDS = ['file_id_not_allowed_with_zdr', 'files_require_user_key'] as const

const GENERATION = [
  ...MODEL,
  'unsupported_response_format',
  'unsupported_regex',
  'invalid_request_tag',
  'insufficient_credits',
  'concurrency_limit_exceeded',
  'request_quota_exceeded',
  'rate_limit_exceeded',
  'backend_at_capacity',
  'backend_overloaded',
  'backend_timeout',
  'backend_connect_error',
  'backend_http_error',
] as const

const PIPE = GENERATION.filter(code => code !== 'unsupported_response_format' && code !== 'unsupported_regex')

const INSPECTION = [...KEY, 'schema_validation_failed', 'unsupported_parameter', 'rate_limit_exceeded'] as const
const FILES = [...KEY, 'files_require_user_key', 'rate_limit_exceeded'] as const
const USAGE = [...KEY, 'http_400', 'unsupported_parameter', 'rate_limit_exceeded'] as const

/** Byte pipes with a form. */
const FORM = { tag: 'Inference', streams: true, errors: [...PIPE, 'http_400'] } as const

export const OPERATIONS: Readonly<Record<RouteName, Operation>> = {
  chat: {
    tag: 'Inference',
    summary: 'Chat completions',
    reply: 'chat-completion',
    streams: true,
    errors: [...GENERATION, ...TOOLS, 'unsupported_tool_type', ...FILE_IDS],
  },
  completions: {
    tag: 'Inference',
    summary: 'Text completions: text or token ids, constrained decoding',
    reply: 'text-completion',
    streams: true,
    errors: [...GENERATION, 'json_schema_refs_unsupported'],
  },
  messages: {
    tag: 'Inference',
    summary: 'Messages',
    reply: 'message',
    streams: true,
    errors: [...GENERATION, ...TOOLS, 'missing_tool_name', ...FILE_IDS],
  },
  'count-tokens': {
    tag: 'Inference',
    summary: 'The tokens of a Messages request',
    reply: 'token-count',
    errors: [...MODEL, 'unsupported_response_format', ...TOOLS, 'missing_tool_name', ...FILE_IDS],
  },
  responses: {
    tag: 'Inference',
    summary: 'Responses, stateless',
    reply: 'response',
    streams: true,
    errors: [...GENERATION, ...TOOLS, 'unsupported_input_item', 'invalid_tool'],
  },
  embeddings: { tag: 'Inference', summary: 'Embeddings', reply: 'embeddings', errors: PIPE },
  rerank: { tag: 'Inference', summary: 'Documents in the order of a query', reply: 'rerank', errors: PIPE },
  'rerank-v2': { tag: 'Inference', summary: 'Documents in the order of a query', reply: 'rerank', errors: PIPE },
  score: { tag: 'Inference', summary: 'Scores of pairs of texts', reply: 'score', errors: PIPE },
  classify: { tag: 'Inference', summary: 'Classes of texts', reply: 'classify', errors: PIPE },
  transcriptions: { ...FORM, summary: 'Transcriptions of audio files', reply: 'transcription' },
  translations: { ...FORM, summary: 'Translations of audio files', reply: 'transcription' },
  speech: { tag: 'Inference', summary: 'Speech of a text', reply: AUDIO, streams: true, errors: PIPE },
  'image-generations': {
    tag: 'Inference',
    summary: 'Images of a prompt',
    reply: 'images',
    streams: true,
    errors: PIPE,
  },
  'image-edits': { ...FORM, summary: 'Edits of images', reply: 'images' },
  moderations: { tag: 'Inference', summary: 'Categories of harmful content', reply: 'moderation', errors: PIPE },
  'model-list': { tag: 'Models', summary: 'The models that the key may use here', reply: 'model-list', errors: KEY },
  'model-card': {
    tag: 'Models',
    summary: 'One model, by its id or alias',
    reply: 'model',
    errors: [...KEY, 'model_not_found', 'model_not_allowed'],
  },
  'file-list': {
    tag: 'Files',
    summary: "The files of the key's user",
    query: 'file-list',
    reply: 'file-list',
    errors: [...FILES, 'schema_validation_failed', 'unsupported_parameter'],
  },
  'file-upload': {
    tag: 'Files',
    summary: 'Upload of an image, to refer to it by file_id, or of requests for a batch',
    form: 'file-upload',
    reply: 'file',
    errors: [...FILES, 'http_400', ...BODY],
  },
  file: { tag: 'Files', summary: 'What is known of a file', reply: 'file', errors: [...FILES, 'http_404'] },
  'file-content': { tag: 'Files', summary: 'The bytes of a file', reply: BYTES, errors: [...FILES, 'http_404'] },
  'file-delete': {
    tag: 'Files',
    summary: 'Deletes a file',
    reply: 'file-deleted',
    errors: [...FILES, 'http_404'],
  },
  ...BATCH_OPERATIONS,
  endpoints: {
    tag: 'Inspection',
    summary: 'The dedicated endpoints of the key',
    reply: 'endpoints',
    errors: [...KEY, 'unsupported_parameter', 'rate_limit_exceeded'],
  },
  'endpoint-metrics': {
    tag: 'Inspection',
    summary: 'Metrics of a dedicated endpoint',
    query: 'endpoint-metrics',
    reply: 'endpoint-metrics',
    errors: INSPECTION,
  },
  'endpoint-requests': {
    tag: 'Inspection',
    summary: 'Requests of a dedicated endpoint, newest first',
    query: 'endpoint-requests',
    reply: 'request-list',
    errors: INSPECTION,
  },
  'endpoint-request': {
    tag: 'Inspection',
    summary: 'Everything that is known of one request',
    query: 'endpoint-request',
    reply: 'request',
    errors: [...INSPECTION, 'http_404'],
  },
  'usage-me': {
    tag: 'Usage',
    summary: 'What the user behind the key has used',
    query: 'usage-me',
    reply: 'usage-me',
    errors: USAGE,
  },
  'usage-team': {
    tag: 'Usage',
    summary: 'What the members of a serverless account have used',
    query: 'usage-team',
    reply: 'usage-team',
    errors: [...USAGE, 'http_404'],
  },
  'serverless-keys': {
    tag: 'Console',
    summary: "The user's own serverless keys, without their secrets",
    reply: 'serverless-keys',
    errors: ['missing_api_key', 'http_401', 'http_403', 'unsupported_parameter'],
  },
  console: { tag: 'Console', summary: 'Who is signed in, a page for people', reply: null, errors: [] },
  'console-usage': { tag: 'Console', summary: 'Usage, a page for people', reply: null, errors: [] },
  'console-usage-csv': { tag: 'Console', summary: 'Usage, for spreadsheets', reply: null, errors: [] },
  'console-find': { tag: 'Console', summary: 'Finds pages and own ids, a page for people', reply: null, errors: [] },
  'console-requests': { tag: 'Console', summary: 'Requests, a page for people', reply: null, errors: [] },
  'console-requests-live': {
    tag: 'Console',
    summary: 'Tells the page of requests that there are new ones',
    reply: null,
    errors: ['http_400'],
  },
  'console-request': { tag: 'Console', summary: 'One request, a page for people', reply: null, errors: [] },
  'console-try': { tag: 'Console', summary: 'A prompt box, a page for people', reply: null, errors: [] },
  'console-try-chat': {
    tag: 'Console',
    summary: "Chat completions for that page, which shows a token of its session in the header 'x-csrf-token'",
    reply: 'chat-completion',
    streams: true,
    errors: [
      'http_401',
      ...GENERATION.filter(code => code !== 'missing_api_key' && code !== 'invalid_api_key'),
      ...TOOLS,
    ],
  },
  'console-keys': { tag: 'Console', summary: 'The keys of the user, a page for people', reply: null, errors: [] },
  'console-key-create': { tag: 'Console', summary: 'Creates a key, a page for people', reply: null, errors: [] },
  'console-key': { tag: 'Console', summary: 'One key of the user, a page for people', reply: null, errors: [] },
  'console-key-change': {
    tag: 'Console',
    summary: 'Changes, rotates, disables or revokes a key, a page for people',
    reply: null,
    errors: ['http_400'],
  },
  'console-batches': { tag: 'Console', summary: 'The batches of the user, a page for people', reply: null, errors: [] },
  'console-batch-start': {
    tag: 'Console',
    summary: 'Uploads a file and starts a batch, a page for people',
    reply: null,
    errors: ['http_400'],
  },
  'console-batch': { tag: 'Console', summary: 'One batch of the user, a page for people', reply: null, errors: [] },
  'console-batch-cancel': { tag: 'Console', summary: 'Cancels a batch, a page for people', reply: null, errors: [] },
  'console-batch-file': {
    tag: 'Console',
    summary: 'A file of a batch: `input`, `output`, `errors` or `results`',
    reply: null,
    errors: [],
  },
  'console-alerts': { tag: 'Console', summary: 'The alerts of the user, a page for people', reply: null, errors: [] },
  'console-alert-create': { tag: 'Console', summary: 'Creates an alert, a page for people', reply: null, errors: [] },
  'console-alert-change': {
    tag: 'Console',
    summary: 'Deletes an alert, or sends a test event, a page for people',
    reply: null,
    errors: ['http_400'],
  },
  'console-logout': { tag: 'Console', summary: 'Ends the session, a page for people', reply: null, errors: [] },
  'console-login': {
    tag: 'Console',
    summary: 'Opens a session by a one-time link',
    query: 'console-login',
    reply: null,
    errors: ['http_400', 'http_401', 'unsupported_parameter'],
  },
  'console-sign-in': {
    tag: 'Console',
    summary: 'The button of a one-time link: opens a session',
    reply: null,
    errors: [],
  },
  'console-oidc': { tag: 'Console', summary: 'Leads to the OpenID Connect issuer', reply: null, errors: ['http_404'] },
  'console-oidc-callback': {
    tag: 'Console',
    summary: 'Opens a session for a person whom the issuer vouches for',
    reply: null,
    errors: ['http_404'],
  },
  'console-asset': { tag: 'Console', summary: 'A style or script of the pages', reply: null, errors: ['http_404'] },
  openapi: { tag: 'Service', summary: 'This document', reply: 'openapi', errors: [] },
  landing: { tag: 'Service', summary: 'A sign of life', reply: 'landing', errors: [] },
  'error-docs': { tag: 'Service', summary: 'The page of an error code', reply: null, errors: ['http_404'] },
  'error-docs-index': { tag: 'Service', summary: 'All error codes', reply: null, errors: [] },
  docs: { tag: 'Service', summary: 'Redirects to the first page of the documentation', errors: [] },
  'docs-home': { tag: 'Service', summary: 'The first page of the documentation', reply: null, errors: [] },
  'docs-page': { tag: 'Service', summary: 'A page or file of the documentation', reply: null, errors: ['http_404'] },
}
