import type { JsonObject } from '../../base/json.ts'
import { parseJson } from '../../base/json.ts'
import type { ChatRequest, TextRequest } from '../../canonical/request.ts'
import type { BackendConfig, ModelConfig, Timeouts } from '../../config/config.ts'
import { WireDecoder } from '../../engines/decode/decoder.ts'
import { backendBody } from '../../engines/encode/request.ts'
import { type BackendFailure, backendFailure, brokenReply, type FailureContext } from '../../engines/failure/failure.ts'
import { Incoming } from '../../engines/replies/response-stream.ts'
import { BackendClient, TransportError } from '../../transport/client.ts'
import { type BackendResponse, request } from '../../transport/request.ts'
import type { ProbeOutcome } from './prober.ts'

/** What a request of a client was like, and so a probe request that asks whether others fail as well. */
export interface Asked {
  /** Below the base URL of the backend, as in `upstream` of a route. */
  readonly path: string
  readonly stream: boolean
}

/** Who sent a request, and what it was like. */
export interface Sender extends Asked {
  /** Id of the account. */
  readonly account: string
}

export interface ProbeTimeouts {
  readonly connectMs: number
  /** For the whole reply. */
  readonly replyMs: number
}

/** One token may have to wait in a queue for as long as those of clients, but an answer is needed. */
const MAX_REPLY_MS = 60_000

export function probeTimeouts({
  connect_ms,
  first_byte_ms,
}: Pick<Timeouts, 'connect_ms' | 'first_byte_ms'>): ProbeTimeouts {
  return { connectMs: connect_ms, replyMs: Math.min(first_byte_ms, MAX_REPLY_MS) }
}

/** A reply of one token is short. */
const MAX_REPLY_BYTES = 1024 * 1024

const TEXT = 'Hello'

/**
 * Asks a model at a backend for one token, or the little that its kind can be asked for, over a connection of its own. A
 * refusal is a good answer: the backend has read the request. Rejects only where the signal aborts.
 */
export async function sendProbe(
  model: ModelConfig,
  backend: BackendConfig,
  asked: Asked,
  { connectMs, replyMs }: ProbeTimeouts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const { path } = asked
  const isRoot = backend.profile.root_paths.some(other => other === path)
  const url = isRoot ? backend.url.replace(/\/v\d+\/*$/, '') : backend.url
  const client = new BackendClient({ ...backend, url }, connectMs)
  const question = questionOf(model, asked)
  const json = question === undefined ? PIPE_QUESTIONS[path] : backendBody(question, model, backend)
  const limits = { signal: AbortSignal.any([signal, AbortSignal.timeout(replyMs)]), maxBytes: MAX_REPLY_BYTES }
  const context: FailureContext = { model, profile: backend.profile, models: () => [] }
  try {
    const response =
      json === undefined
        ? await request(client, { method: 'GET', path: '/models', fresh: true }, limits)
        : await request(client, { method: 'POST', path, fresh: true, json: { ...json, model: backend.model } }, limits)
    const failed = failureOf(response, question, context)
    return failed?.penalise === true ? 'failed' : 'ok'
  } catch (error) {
    signal.throwIfAborted()
    const { kind } = error instanceof TransportError ? error : { kind: 'broken' }
    return kind === 'connect' || kind === 'connect-timeout' ? 'unreachable' : 'failed'
  }
}

/** By path. A kind whose requests carry files is asked for its list of models instead. */
const PIPE_QUESTIONS: Readonly<Record<string, JsonObject>> = {
  '/embeddings': { input: TEXT },
  '/rerank': { query: TEXT, documents: [TEXT] },
  '/score': { text_1: TEXT, text_2: TEXT },
  '/classify': { input: TEXT },
}

/** undefined: the reply of this kind is not decoded. */
function questionOf({ id, kind }: ModelConfig, { path, stream }: Asked): ChatRequest | TextRequest | undefined {
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

/** undefined: a good reply. */
function failureOf(
  { status, headers, body }: BackendResponse,
  question: ChatRequest | TextRequest | undefined,
  context: FailureContext,
): BackendFailure | undefined {
  if (status !== 200) return backendFailure({ status, headers, bodyText: body.toString() }, context)
  if (question === undefined) return body.length > 0 ? undefined : brokenReply(context.model, 'the reply is empty')
  const decoder = new WireDecoder(context, question, NOBODY)
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

/** The reply is dropped: one token is enough. */
const NOBODY = { chunk() {}, end() {}, fail() {} }
