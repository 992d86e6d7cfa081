/** The backend's side of golden files: from canonical requests to bodies, and from a reply's bytes to chunks. */
import { type Engine, PROFILES } from '../../lib/backend/profile.ts'
import { WireDecoder } from '../../lib/backend/wire/decoder.ts'
import { backendBody } from '../../lib/backend/wire/request.ts'
import { type CanonicalRequest, type JsonObject, parseJson, type Sink } from '../../lib/chat.ts'
import type { BackendConfig, ModelConfig } from '../../lib/config/config.ts'
import { failure } from '../../lib/errors.ts'
import { SseDecoder } from '../../lib/sse/decoder.ts'

/** Can do everything. */
const MODEL: ModelConfig = {
  id: 'model-1',
  aliases: [],
  owned_by: 'test',
  created: 1_750_000_000,
  max_model_len: 32_768,
  pricing: undefined,
  sampling: 'free',
  capabilities: {
    vision: true,
    tools: true,
    reasoning: true,
    reasoning_effort: { default: undefined },
    chat_completions: {
      n: true,
      grammar: true,
      regex: true,
      structured_outputs: true,
      tools: true,
      streaming_tools: true,
      preserve_thinking: true,
    },
    messages: { vision: true },
    responses: {},
    zdr: {},
  },
  max_concurrency: undefined,
  backends: [],
}

function backendOf(engine: Engine): BackendConfig {
  return {
    url: 'http://127.0.0.1:8000/v1',
    model: 'upstream-model',
    engine,
    profile: PROFILES[engine],
    zdr: false,
    weight: 1,
    max_concurrency: undefined,
    api_key: undefined,
    headers: {},
  }
}

export function requestBody(request: CanonicalRequest, engine: Engine): JsonObject {
  return backendBody(request, MODEL, backendOf(engine))
}

export interface Replay {
  readonly request: CanonicalRequest
  readonly bytes: Buffer
  /** A whole JSON reply instead of events. */
  readonly json: boolean
  /** Bytes per read. */
  readonly slice: number
}

/** Sends a reply through the decoders into the sink, which is ended or failed exactly once, as the pipe does it. */
export function playReply(sink: Sink, { request, bytes, json, slice }: Replay): void {
  const wire = new WireDecoder({ model: MODEL, profile: PROFILES.vllm, models: [MODEL] }, request, sink)
  let over = false
  const finish = (error = wire.finished ? undefined : failure('backend_http_error', { model: MODEL.id })) => {
    if (over) return
    over = true
    if (error === undefined) sink.end()
    else sink.fail(error)
  }
  if (json) {
    finish(wire.whole(parseJson(bytes.toString()) ?? null))
    return
  }
  const events = new SseDecoder((data, name) => {
    if (over) return
    if (data === '[DONE]') return finish()
    const error = wire.event(parseJson(data) ?? null, name)
    if (error !== undefined) finish(error)
  })
  for (let at = 0; at < bytes.length; at += slice) events.feed(bytes.subarray(at, at + slice))
  events.end()
  finish(events.pending ? failure('backend_http_error', { model: MODEL.id }) : undefined)
}
