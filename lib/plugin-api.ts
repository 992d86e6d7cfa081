/** `sluiceway/plugin`: what a plugin is written with, in or outside this repository. docs/PLUGINS.md tells how. */

export { detachedFrom } from './body/detach.ts'
export type { DetachedTexts } from './body/texts.ts'
export type {
  CanonicalRequest,
  ChatChunk,
  ChatMessage,
  ChatRequest,
  Json,
  JsonObject,
  Sink,
  TextRequest,
  ToolCallDelta,
  Usage,
} from './chat.ts'
export { isObject, newChunk } from './chat.ts'
export type { ErrorCode, ErrorDetails } from './errors.ts'
export { fail, failure, GatewayError } from './errors.ts'
export type {
  BodyPhase,
  FinishPhase,
  HeadersPhase,
  Hooks,
  Outcome,
  Plugin,
  ResponsePhase,
  RouteFilter,
  StreamPhase,
} from './plugin.ts'
export { definePlugin } from './plugin.ts'
export type { Route, Surface } from './routes.ts'
export type { Clock, Services } from './services.ts'
export type { Slot, ValueOf } from './slots.ts'
export { chat, formatOptions, slot, target } from './slots.ts'
export { Transformer } from './transformer.ts'
