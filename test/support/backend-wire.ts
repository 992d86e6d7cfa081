/** The backend's side of golden files: canonical requests to bodies, and bytes of a reply to chunks. */

import { type JsonObject, parseJson } from '../../lib/base/json.ts'
import { SseDecoder } from '../../lib/base/sse.ts'
import type { Sink } from '../../lib/canonical/reply.ts'
import type { CanonicalRequest } from '../../lib/canonical/request.ts'
import { type Engine, PROFILES } from '../../lib/config/profile.ts'
import { WireDecoder } from '../../lib/engines/decode/decoder.ts'
import { backendBody } from '../../lib/engines/encode/request.ts'
import { brokenReply } from '../../lib/engines/failure/failure.ts'
import type { GatewayError } from '../../lib/errors/errors.ts'
import { backendConfig } from './backend-config.ts'
import { model } from './canonical.ts'

/** A model with every capability. */
const MODEL = model(
  {
    vision: true,
    tools: true,
    reasoning: true,
    chat_completions: {
      n: true,
      grammar: true,
      regex: true,
      structured_outputs: true,
      tools: true,
      streaming_tools: true,
      preserve_thinking: true,
      echo: true,
      suffix: true,
    },
    messages: { vision: true },
  },
  { id: 'model-1' },
)

export function requestBody(request: CanonicalRequest, engine: Engine): JsonObject {
  return backendBody(request, MODEL, backendConfig({ engine }))
}

export interface Replay {
  readonly request: CanonicalRequest
  readonly bytes: Buffer
  /** The reply is JSON instead of events. */
  readonly json: boolean
  /** Bytes per read. */
  readonly slice: number
}

/** Sends a reply through the decoders into the sink, which is ended or failed exactly once. */
export function playReply(sink: Sink, { request, bytes, json, slice }: Replay): void {
  const wire = new WireDecoder({ model: MODEL, profile: PROFILES.vllm, models: () => [MODEL] }, request, sink)
  let over = false
  const finish = (error: GatewayError | undefined) => {
    if (over) return
    over = true
    if (error !== undefined) sink.fail(error)
    else if (!wire.isFinished) sink.fail(brokenReply(MODEL, 'it ended without a finish reason').error)
    else sink.end()
  }
  if (json) return finish(wire.whole(parseJson(bytes.toString()) ?? null)?.error)
  const events = new SseDecoder((data, name) => {
    if (over) return
    if (data === '[DONE]') return finish(undefined)
    const error = wire.event(parseJson(data) ?? null, name)?.error
    if (error !== undefined) finish(error)
  })
  for (let at = 0; at < bytes.length; at += slice) events.feed(bytes.subarray(at, at + slice))
  events.end()
  finish(events.pending ? brokenReply(MODEL, 'it ended inside an event').error : undefined)
}
