/** Single requests to a server that nothing is known about yet: each has a timeout, and a failure is an answer too. */
import { type Json, parseJson } from '../../base/json.ts'
import { SseDecoder } from '../../sse/decoder.ts'

export interface ClientOptions {
  readonly apiKey?: string | undefined
  /** Longest wait for one whole answer. Defaults to 30 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ProbeReply {
  /** HTTP status; 0: there was no answer, and `problem` says why in one sentence. */
  readonly status: number
  readonly problem: string
  /** undefined where the body is not JSON, or is a stream. */
  readonly body: Json | undefined
  /** Data of the events of a stream; what is not JSON is left out. */
  readonly events: readonly Json[]
}

const TIMEOUT_MS = 30_000

export class ProbeClient {
  /** With the version prefix, without a slash at its end. */
  readonly base: string
  /** Where routes outside the version prefix begin. */
  readonly root: string
  readonly #headers: Record<string, string>
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  #requests = 0

  constructor(base: string, { apiKey, timeoutMs, signal }: ClientOptions = {}) {
    this.base = base
    this.root = base.replace(/\/v\d+$/, '')
    this.#headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS
    this.#signal = signal
  }

  /** How many requests have been sent. */
  get requests(): number {
    return this.#requests
  }

  get(url: string): Promise<ProbeReply> {
    return this.#send(url, { headers: this.#headers })
  }

  post(url: string, body: Json): Promise<ProbeReply> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    return this.#send(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** Rejects only when the signal of the options aborts. */
  async #send(url: string, init: RequestInit): Promise<ProbeReply> {
    this.#requests++
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const signal = this.#signal === undefined ? timeout : AbortSignal.any([timeout, this.#signal])
    try {
      const response = await fetch(url, { ...init, signal })
      const bytes = Buffer.from(await response.arrayBuffer())
      const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
      return {
        status: response.status,
        problem: '',
        body: streamed ? undefined : parseJson(bytes.toString()),
        events: streamed ? eventsOf(bytes) : [],
      }
    } catch (error) {
      this.#signal?.throwIfAborted()
      return { status: 0, problem: this.#explain(error), body: undefined, events: [] }
    }
  }

  #explain(error: unknown): string {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return `${this.root} gave no answer within ${Math.ceil(this.#timeoutMs / 1000)} s.`
    }
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    switch (code) {
      case 'ECONNREFUSED':
        return `Nothing listens at ${this.root}: is the server running, and is this its port?`
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `The host of ${this.root} cannot be found.`
      case 'ECONNRESET':
      case 'UND_ERR_SOCKET':
        return `${this.root} closed the connection before it answered.`
      default:
        return `${this.root} cannot be reached${code === '' ? '' : ` (${code})`}.`
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
