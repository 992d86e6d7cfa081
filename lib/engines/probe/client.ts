/** Requests to a server that is not configured yet. Each has a timeout, and a failure is returned as a reply. */
import { type Json, type JsonObject, parseJson } from '../../base/json.ts'
import { SseDecoder } from '../../base/sse.ts'
import type { Engine } from '../../config/profile.ts'
import { BackendClient, TransportError } from '../../transport/client.ts'
import type { Egress } from '../../transport/egress.ts'
import { type JsonRequest, ResponseTooLargeError, request } from '../../transport/request.ts'

export interface ClientOptions {
  readonly apiKey?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How connections are opened. */
  readonly egress?: Egress | undefined
  /** Timeout of one request, including its whole response. Default 30 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ProbeReply {
  /** HTTP status; 0: no response. `problem` then says why, in one sentence. */
  readonly status: number
  readonly problem: string
  /** undefined: the body is not JSON, or is a stream. */
  readonly body: Json | undefined
  /** The JSON data of the events of a stream. Other events are left out. */
  readonly events: readonly Json[]
  /** Header `date` of the response. */
  readonly date?: string | undefined
}

const TIMEOUT_MS = 30_000

/** Enough for a long list of models. Other replies are short. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024

export class ProbeClient {
  /** URL with the version prefix, without a slash at its end. */
  readonly base: string
  /** URL without the version prefix. */
  readonly root: string
  readonly #client: BackendClient
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  #requests = 0

  constructor(base: string, { apiKey, headers = {}, egress, timeoutMs, signal }: ClientOptions = {}) {
    this.base = base
    this.root = base.replace(/\/v\d+$/, '')
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS
    const { origin } = new URL(base)
    this.#client = new BackendClient(
      { url: origin, api_key: apiKey, headers, tls: egress?.tls, proxy: egress?.proxy },
      this.#timeoutMs,
    )
    this.#signal = signal
  }

  get requests(): number {
    return this.#requests
  }

  get(url: string): Promise<ProbeReply> {
    return this.#send(url, { method: 'GET' })
  }

  post(url: string, json: Json): Promise<ProbeReply> {
    return this.#send(url, { method: 'POST', json })
  }

  /** Rejects only if the signal of the options aborts. Opens a connection per request: none has to be closed. */
  async #send(url: string, what: Pick<JsonRequest, 'method' | 'json'>): Promise<ProbeReply> {
    this.#requests++
    const { pathname, search } = new URL(url)
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const signal = this.#signal === undefined ? timeout : AbortSignal.any([timeout, this.#signal])
    try {
      const limits = { signal, maxBytes: MAX_REPLY_BYTES }
      const { status, headers, body } = await request(
        this.#client,
        { ...what, path: pathname + search, fresh: true },
        limits,
      )
      const streamed = headers['content-type']?.startsWith('text/event-stream') ?? false
      return {
        status,
        problem: '',
        body: streamed ? undefined : parseJson(body.toString()),
        events: streamed ? eventsOf(body) : [],
        date: headers.date,
      }
    } catch (error) {
      this.#signal?.throwIfAborted()
      return { status: 0, problem: this.#explain(error), body: undefined, events: [] }
    }
  }

  #explain(error: unknown): string {
    const { root } = this
    if (error instanceof ResponseTooLargeError) return `${root} sent a reply that is too large.`
    if (!(error instanceof TransportError) || error.kind === 'connect-timeout')
      return `${root} gave no answer within ${Math.ceil(this.#timeoutMs / 1000)} s.`
    if (error.kind !== 'connect') return `${root} closed the connection before it answered.`
    const code = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : ''
    switch (code) {
      case 'ECONNREFUSED':
        return `Nothing listens at ${root}: is the server running, and is this its port?`
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host of ${root} cannot be found.`
      default:
        return `${root} cannot be reached${code === '' ? '' : ` (${code})`}.`
    }
  }
}

function eventsOf(bytes: Buffer): Json[] {
  const events: Json[] = []
  const decoder = new SseDecoder(data => {
    const event = parseJson(data)
    if (event !== undefined) events.push(event)
  })
  decoder.feed(bytes)
  return events
}

/** The server and model that the checks of a probe run on. */
export interface ProbeSession {
  readonly client: ProbeClient
  readonly model: string
  readonly engine: Engine
  /** Members that switch reasoning off, so that the few tokens of a reply are content. */
  readonly reasoningOff: JsonObject
  /** Tokens for a reply of a few words. More if reasoning cannot be switched off. */
  readonly shortReplyTokens: number
  /** Records a finding for the operator. */
  readonly note: (text: string) => void
}

export const QUESTION = 'Say hello.'

export function user(content: Json): JsonObject {
  return { role: 'user', content }
}

/** Sends a chat request: a short question with max_tokens 1. `more` overrides its members. */
export function chat({ client, model, reasoningOff }: ProbeSession, more: JsonObject = {}): Promise<ProbeReply> {
  const body = { model, messages: [user(QUESTION)], max_tokens: 1, temperature: 0, ...reasoningOff, ...more }
  return client.post(`${client.base}/chat/completions`, body)
}
