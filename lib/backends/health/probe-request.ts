import { type JsonObject, parseJson } from '../../base/json.ts'
import type { ChatRequest, TextRequest } from '../../canonical/request.ts'
import type { BackendConfig, ModelConfig, Timeouts } from '../../config/config.ts'
import { WireDecoder } from '../../engines/decode/decoder.ts'
import { backendBody } from '../../engines/encode/request.ts'
import { type BackendFailure, backendFailure, brokenReply, type FailureContext } from '../../engines/failure/failure.ts'
import { Incoming } from '../../engines/replies/response-stream.ts'
import { BackendClient, TransportError } from '../../transport/client.ts'
import { type BackendResponse, request } from '../../transport/request.ts'
import type { ProbeOutcome } from './prober.ts'

/** The kind of a client's request. A probe request has the same kind, to find out whether other requests fail, too. */
export interface RequestKind {
  /** Below the base URL of the backend, like `upstream` of a route. */
  readonly path: string
  readonly stream: boolean
}

/** A client's request, as evidence about the health of its backend. */
export interface ClientRequest extends RequestKind {
  readonly account: string
}

interface ProbeTimeouts {
  readonly connectMs: number
  readonly replyMs: number
}

/** A probe request may wait in the queue of the engine like other requests, but not longer than this. */
const MAX_REPLY_MS = 60_000

export function probeTimeouts({
  connect_ms,
  first_byte_ms,
}: Pick<Timeouts, 'connect_ms' | 'first_byte_ms'>): ProbeTimeouts {
  return { connectMs: connect_ms, replyMs: Math.min(first_byte_ms, MAX_REPLY_MS) }
}

/** Far above a reply of one token. */
const MAX_REPLY_BYTES = 1024 * 1024

const TEXT = 'Hello'

/** Requests one token over a new connection. A refusal is a good outcome. Rejects only if the signal aborts. */
export async function sendProbe(
  model: ModelConfig,
  backend: BackendConfig,
  kind: RequestKind,
  { connectMs, replyMs }: ProbeTimeouts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const { path } = kind
  const isRoot = backend.profile.root_paths.some(other => other === path)
  const url = isRoot ? backend.url.replace(/\/v\d+\/*$/, '') : backend.url
  const client = new BackendClient({ ...backend, url }, connectMs)
  const chat = requestOf(model, kind)
  const json = chat === undefined ? PIPE_BODIES[path] : backendBody(chat, model, backend)
  const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(replyMs)]), maxBytes: MAX_REPLY_BYTES }
  const context: FailureContext = { model, profile: backend.profile, models: () => [] }
  try {
    const response =
      json === undefined
        ? await request(client, { method: 'GET', path: '/models', fresh: true }, limits)
        : await request(client, { method: 'POST', path, fresh: true, json: { ...json, model: backend.model } }, limits)
    const failed = failureOf(response, chat, context)
    return failed?.penalise === true ? 'failed' : 'ok'
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof TransportError ? error.kind : 'broken'
    return reason === 'connect' || reason === 'connect-timeout' ? 'unreachable' : 'failed'
  }
}

/** Bodies of byte-pipe requests by path. For paths whose requests contain files, models are listed instead. */
const PIPE_BODIES: Readonly<Record<string, JsonObject>> = {
  '/embeddings': { input: TEXT },
  '/rerank': { query: TEXT, documents: [TEXT] },
  '/score': { text_1: TEXT, text_2: TEXT },
  '/classify': { input: TEXT },
}

/** The canonical request; undefined: replies of this kind of model are not decoded. */
function requestOf({ id, kind }: ModelConfig, { path, stream }: RequestKind): ChatRequest | TextRequest | undefined {
  if (kind !== 'chat') return undefined
  const common = {
    model: id,
    stream,
    n: 1,
    maxTokens: 1,
    clampMaxTokens: false,
    stop: undefined,
    sampling: {},
    regex: undefined,
    responseFormat: undefined,
  }
  if (path === '/completions')
    return { kind: 'text', ...common, prompt: TEXT, echo: undefined, suffix: undefined, bestOf: undefined }
  return {
    kind: 'chat',
    ...common,
    messages: [{ role: 'user', content: TEXT }],
    tools: [],
    toolChoice: undefined,
    parallelToolCalls: undefined,
    reasoning: { enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off' },
    preserveThinking: { asked: false, param: 'preserve_thinking' },
  }
}

/** undefined: the reply is good. */
function failureOf(
  { status, headers, body }: BackendResponse,
  chat: ChatRequest | TextRequest | undefined,
  context: FailureContext,
): BackendFailure | undefined {
  if (status !== 200) return backendFailure({ status, headers, bodyText: body.toString() }, context)
  if (chat === undefined) return body.length > 0 ? undefined : brokenReply(context.model, 'the reply is empty')
  const decoder = new WireDecoder(context, chat, DISCARD)
  let failed: BackendFailure | undefined
  const incoming = new Incoming(headers['content-type'], (data, name) => {
    if (failed !== undefined || data === '[DONE]') return
    const json = parseJson(data)
    failed = json === undefined ? brokenReply(context.model, 'an event is not JSON') : decoder.event(json, name)
  })
  try {
    incoming.feed(body)
    const json = incoming.end()
    if (json !== undefined) failed ??= decoder.whole(json)
  } catch {
    return brokenReply(context.model, 'the reply cannot be read')
  }
  return failed ?? (decoder.isFinished ? undefined : brokenReply(context.model, 'the reply has no finish reason'))
}

/** The sink of a reply whose content is not needed. */
const DISCARD = { chunk() {}, end() {}, fail() {} }
