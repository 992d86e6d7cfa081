/**
 * `sluiceway/plugin`: everything that a plugin is written with, in this repository and outside it. docs/PLUGINS.md
 * explains it. Built-in plugins import nothing else of lib/ (test/layers.test.ts).
 */

// ---------------------------------------------------------------- a plugin, its hooks and its routes

export type { Surface } from './config/surface.ts'
export type {
  AttemptPhase,
  BodyPhase,
  FinishPhase,
  HeadersPhase,
  Hooks,
  Outcome,
  Plugin,
  RouteFilter,
  SendPhase,
  StreamPhase,
} from './core/plugin.ts'
export { definePlugin } from './core/plugin.ts'
export { ROUTES, type Route, type RouteName } from './routes/routes.ts'

// ---------------------------------------------------------------- slots

export {
  chat,
  formatOptions,
  key,
  type PipeRequest,
  pipe,
  type Slot,
  slot,
  type Target,
  target,
  type ValueOf,
  zdr,
} from './core/slots.ts'

// ---------------------------------------------------------------- the canonical request

export {
  hasImages,
  imageParts,
  isText,
  partsOf,
  replaceStart,
  textBytes,
  textEnd,
  textPieces,
  textStart,
  withoutDecoding,
} from './body/index.ts'
export type { Format, FormatName, FormatOptions } from './canonical/format.ts'
export {
  type CanonicalRequest,
  type ChatRequest,
  type ContentPart,
  EFFORTS,
  type Effort,
  type FunctionTool,
  type ImagePart,
  type Message,
  type ReasoningOptions,
  type ResponseFormat,
  type Sampling,
  type TextRequest,
  type ToolChoice,
} from './canonical/request.ts'
export { textParts } from './core/text-parts.ts'
export { formatOf } from './formats/index.ts'

// ---------------------------------------------------------------- the canonical reply

export { type Chunk, newChunk, type Sink, type ToolCallDelta, Transformer, type Usage } from './canonical/reply.ts'

// ---------------------------------------------------------------- refusing

export { contextExceeded } from './engines/context-window.ts'
export { ERRORS, type ErrorCode, type ErrorDetails, fail, failure, GatewayError } from './errors/errors.ts'
export { limitHeaders } from './errors/limit-headers.ts'

// ---------------------------------------------------------------- services

export type { Counter, Gauge, Histogram } from 'prom-client'
export type { Clock } from './base/clock.ts'
export type { Metrics } from './base/metrics.ts'
export type { TraceContext } from './base/trace-context.ts'
export type {
  AccountConfig,
  ChatCapabilities,
  Config,
  ModelConfig,
  PlanConfig,
  RequestLimitsConfig,
} from './config/config.ts'
export { backendOptions, windowMilliseconds } from './config/config.ts'
export type { Services } from './core/services.ts'
export type { AttemptFacts, AttemptOutcome } from './core/upstream.ts'
export { SignInFailure } from './oidc/failure.ts'
export { SIGN_IN_SECONDS } from './oidc/sign-in.ts'
export type { Role, StoredMember } from './store/accounts.ts'
export { cookieName } from './store/console-sessions.ts'
export type { StoredKey } from './store/keys.ts'
export { isManager, type OwnAccount } from './store/own-accounts.ts'
export {
  type IssuedKey,
  MAX_OWN_KEYS,
  mayCreateKeys,
  type NewOwnKey,
  type OwnKeyFields,
  type OwnKeys,
} from './store/own-keys.ts'
export type { AccountRequestFilter, AccountRequestPage } from './store/queries/account-requests.ts'
export { isRequestId, type RequestFilter } from './store/queries/requests.ts'
export type { UsageFilter, UsageOfPeriod, UsageRow } from './store/queries/usage.ts'
export type { RequestRecord } from './store/record.ts'

// ---------------------------------------------------------------- keys, models and tokens

export type { Key } from './accounts/keys.ts'
export { mayUse } from './accounts/model-catalog.ts'
export { certainOverflow, certainPromptTokens, clampedMaxTokens } from './engines/context-window.ts'
export { Tokenizer } from './engines/tokenize.ts'
export { type PromptSize, pipeSize, promptCount, promptSize } from './tokens/prompt-size.ts'
export type { ModelTokens, TokenRatios } from './tokens/token-ratios.ts'

// ---------------------------------------------------------------- limits and money

export { MICROCENTS_PER_CENT } from './base/money.ts'
export { costOf, type Pricing } from './limits/cost.ts'
export {
  type CreditState,
  type OnStoreFailure,
  type QuotaState,
  type RateState,
  type SpendState,
  whenKnown,
} from './limits/limits.ts'
export { type PricedRow, priced, type Totals, totalsBy, totalsOf } from './limits/usage-cost.ts'

// ---------------------------------------------------------------- uploaded files and images

export { formParser } from './body/index.ts'
export { type Files, imageType, type Save, type StoredFile, type UploadMetadata } from './files/files.ts'
export { filesInTime, filesUnavailable } from './files/in-time.ts'
export { fileOwner, referredFileOwner, refuseFileUnderZdr } from './files/owner.ts'

// ---------------------------------------------------------------- pages for people

export { isUuid } from './base/ids.ts'
export { assetAt } from './pages/assets.ts'
export { isOwnOrigin, usesLink } from './pages/fetch-metadata.ts'
export { type Html, type HtmlValue, html } from './pages/html.ts'
export { loadMarkdown } from './pages/load-markdown.ts'
export { cookieSecret, isSecure, type Reached, sessionCookie } from './pages/session-cookie.ts'
export { HTML, PAGE_HEADERS, pageOf, type Shell } from './pages/shell.ts'
export { htmlPlot, htmlTable, type Plot, type Series } from './pages/table.ts'

// ---------------------------------------------------------------- JSON, schemas, queries and texts

export { isObject, type Json, type JsonObject, parseJson } from './base/json.ts'
export { nextTurn } from './base/long-work.ts'
export { parseIso } from './base/time.ts'
export type { IgnoredMember, IgnoredMembers } from './schemas/ignored-members.ts'
export { queryReader } from './schemas/query.ts'
export { readSchema, schemaNames } from './schemas/read.ts'
export { bodyValidator } from './schemas/schemas.ts'
export { csvOf } from './text/csv.ts'
export { escapeHtml } from './text/html.ts'
export { lengthOf, quoted, shellQuoted, shortened, type Words, words } from './text/quoted.ts'
