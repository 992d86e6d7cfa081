/** `sluiceway/plugin`: what a plugin is written with, in or outside this repository. docs/PLUGINS.md tells how. */

export type { Clock } from './base/clock.ts'
export type { Json, JsonObject } from './base/json.ts'
export { isObject } from './base/json.ts'
export { detachedFrom } from './body/detach.ts'
export type { DetachedTexts } from './body/texts.ts'
export type { ChatChunk, Sink, ToolCallDelta, Usage } from './canonical/reply.ts'
export { newChunk } from './canonical/reply.ts'
export type { CanonicalRequest, ChatMessage, ChatRequest, TextRequest } from './canonical/request.ts'
export { Transformer } from './canonical/transformer.ts'
export type {
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
export type { Services } from './core/services.ts'
export type { Slot, ValueOf } from './core/slots.ts'
export { chat, formatOptions, slot, target } from './core/slots.ts'
export type { ErrorCode, ErrorDetails } from './errors/errors.ts'
export { fail, failure, GatewayError } from './errors/errors.ts'
export type { Route, Surface } from './routes/routes.ts'
