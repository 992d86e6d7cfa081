/**
 * `sluiceway/plugin`: the API for plugins that handle requests to models. docs/PLUGINS.md explains it. Built-in plugins
 * import this module and, for pages and reports, console.ts; no other module of lib/ (test/layers.test.ts).
 */

// ---------------------------------------------------------------- a plugin, its hooks and its routes

export type {
  AttemptPhase,
  BodyPhase,
  FinishPhase,
  HeadersPhase,
  Plugin,
  SendPhase,
  StreamPhase,
} from './core/plugin.ts'
export { definePlugin } from './core/plugin.ts'
export { ROUTES, type Route, servedRoutes } from './routes/routes.ts'

// ---------------------------------------------------------------- slots

export {
  chat,
  formatOptions,
  type PipeRequest,
  type Slot,
  slot,
  type Target,
  target,
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
export type { FormatName, FormatOptions } from './canonical/format.ts'
export {
  type CanonicalRequest,
  type ChatRequest,
  type ContentPart,
  EFFORTS,
  type FunctionTool,
  type ImagePart,
  type Message,
  type ReasoningOptions,
  type ResponseFormat,
  type Sampling,
  type TextRequest,
  type ToolChoice,
} from './canonical/request.ts'
export { formatOptionsByKey } from './config/format-options.ts'
export { textParts } from './core/text-parts.ts'
export { formatOf } from './formats/index.ts'

// ---------------------------------------------------------------- the canonical reply

export {
  type Chunk,
  type FinishReason,
  newChunk,
  type ToolCallDelta,
  Transformer,
  type Usage,
} from './canonical/reply.ts'

// ---------------------------------------------------------------- refusing

export { defineErrors, fail, failure, GatewayError } from './errors/errors.ts'
export { limitHeaders } from './errors/limit-headers.ts'

// ---------------------------------------------------------------- services

export type { Clock } from './base/clock.ts'
export type { Metrics } from './base/metrics.ts'
export type { TraceContext } from './base/trace-context.ts'
export { backendOptions, type Config, type ModelConfig } from './config/config.ts'
export { CLIENT_SURFACES } from './config/surface.ts'
export type { InternalReply, InternalRequest, Services } from './core/services.ts'
export type { AttemptFacts } from './core/upstream.ts'
export type { RequestRecord } from './store/record.ts'

// ---------------------------------------------------------------- keys, models and tokens

export { type Key, mayUse, operatorKey } from './accounts/access.ts'
export { certainOverflow, certainPromptTokens, clampedMaxTokens, contextExceeded } from './engines/context-window.ts'
export { Tokenizer } from './engines/tokenize.ts'
export { type PromptSize, pipeSize, promptCount, promptSize } from './tokens/prompt-size.ts'
export type { ModelTokens } from './tokens/token-ratios.ts'

// ---------------------------------------------------------------- limits and money

export { centsOf, MICROCENTS_PER_CENT, microcentsOf } from './base/money.ts'
export { costOf, hasTokenPrices } from './limits/cost.ts'
export { whenKnown } from './limits/limits.ts'
export { rateName, scopeName } from './limits/scope.ts'
export { requestedUnits, type Unit, type Units } from './limits/units.ts'
export { type Budget, budgetsOf, type PlanQuota, quotaOf, windowAt } from './limits/windows.ts'

// ---------------------------------------------------------------- images

export { imageType } from './files/files.ts'
export { filesInTime } from './files/in-time.ts'
export { referredFileOwner } from './files/owner.ts'
export { AddressGuard } from './transport/public-http/addresses.ts'
export { PublicHttp, publicUrl, UrlRefused } from './transport/public-http/request.ts'

// ---------------------------------------------------------------- JSON and schemas

export { isObject, type Json, type JsonObject, parseJson } from './base/json.ts'
export { nextTurn } from './base/long-work.ts'
export { markedCopy, restoreNumbers } from './base/source-json.ts'
export { bodyValidator, type IgnoredMembers } from './schemas/body-validator.ts'
export { readSchema } from './schemas/read.ts'
export { lengthOf, quoted, shortened, words } from './text/quoted.ts'
