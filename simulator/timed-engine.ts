import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject, type JsonObject, parseJson } from '../lib/base/json.ts'
import { EngineJob, EngineModel } from './engine-model.ts'
import type { EngineSpeed } from './engine-speed.ts'

/** Characters per token. */
const TOKEN_CHARACTERS = 4
const TOKEN = 'word'

export interface TimedEngine {
  readonly model: EngineModel
  /** Resolves with the port. `port` 0: any free port. */
  listen(port: number, host: string): Promise<number>
  /** Closes all connections. */
  close(): Promise<void>
}

export interface TimedEngineOptions {
  /**
   * Tokens per event after the first token, which is sent alone: `--stream-interval` of vLLM and SGLang. Default: 1.
   */
  readonly eventTokens?: number
}

/** An answered request in GET /requests. Times are milliseconds since 1970. */
export interface TimedRequest {
  /** The x-request-id header. */
  readonly id: string
  /** The body was complete, and the model started with the request. */
  readonly submitted: number
  /** The model produced the first token. */
  readonly due: number
  /** The first token was written, or would be in a stream: later than `due` if this process was busy. */
  readonly written: number
}

/** Maximum number of requests in GET /requests. */
const MAX_REQUESTS = 10_000

/**
 * A server with chats in vLLM's format, streamed or whole. Their times and cached tokens are those of an EngineModel in
 * real time. Four characters are a token, and an answer has `max_tokens` tokens. GET /metrics reports the size of the
 * cache as vLLM does. GET /computed returns the number of computed prompt tokens, GET /requests a list of TimedRequest.
 */
export function createTimedEngine(speed: EngineSpeed, options: TimedEngineOptions = {}): TimedEngine {
  const { eventTokens = 1 } = options
  const model = new EngineModel(speed)
  const clock = new EngineClock(model)
  const requests: TimedRequest[] = []
  const answered = (request: TimedRequest) => {
    if (requests.push(request) > MAX_REQUESTS) requests.shift()
  }
  const server = createServer((req, res) => {
    if (req.method === 'POST') return void chat(req, res, { clock, speed, eventTokens, answered })
    if (req.url === '/metrics') return void res.end(metricsOf(speed))
    if (req.url === '/computed') return void res.end(String(model.computed))
    if (req.url === '/requests') return void res.end(JSON.stringify(requests))
    res.writeHead(req.url === '/health' ? 200 : 404).end()
  })
  return {
    model,
    listen: (port, host) => listening(server, port, host),
    close: () =>
      new Promise(resolve => {
        clock.stop()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Runs a model in the time of this process. */
class EngineClock {
  readonly #model: EngineModel
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(model: EngineModel) {
    this.#model = model
  }

  /** Returns the time of the submission. */
  submit(job: EngineJob): number {
    const now = performance.now()
    this.#model.advance(now)
    this.#model.submit(job, now)
    this.#wake()
    return now
  }

  cancel(job: EngineJob): void {
    this.#model.cancel(job)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #wake(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#model.next === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#model.advance(performance.now())
        this.#wake()
      },
      Math.max(0, this.#model.next - performance.now()),
    )
  }
}

interface ChatContext {
  readonly clock: EngineClock
  readonly speed: EngineSpeed
  readonly eventTokens: number
  readonly answered: (request: TimedRequest) => void
}

/** Converts a time of performance.now() to milliseconds since 1970. */
const epoch = (at: number) => performance.timeOrigin + at

async function chat(req: IncomingMessage, res: ServerResponse, context: ChatContext): Promise<void> {
  const { clock, speed, eventTokens, answered } = context
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = parseJson(Buffer.concat(chunks).toString())
  if (!isObject(body)) return void res.writeHead(400).end('{}')
  const text = promptOf(body)
  const answerTokens = typeof body.max_tokens === 'number' ? body.max_tokens : 16
  const promptTokens = Math.max(1, Math.ceil(text.length / TOKEN_CHARACTERS))
  const isStreamed = body.stream === true
  let submitted = 0
  let sent = 0
  const job = new EngineJob(promptTokens, answerTokens, blocksOf(text, speed.blockTokens), (count, at) => {
    const isLast = count === answerTokens
    if (sent > 0 && !isLast && (!isStreamed || count - sent < eventTokens)) return
    let out = ''
    if (sent === 0) {
      out = frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })
      const id = String(req.headers['x-request-id'] ?? '')
      answered({ id, submitted: epoch(submitted), due: epoch(at), written: epoch(performance.now()) })
    }
    if (!isStreamed) {
      sent = count
      if (isLast) res.end(wholeReply(answerTokens, usageOf(promptTokens, answerTokens, job)))
      return
    }
    out += frame({ choices: [{ index: 0, delta: { content: `${TOKEN} `.repeat(count - sent) } }] })
    sent = count
    if (isLast) {
      const usage = usageOf(promptTokens, answerTokens, job)
      out += frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      res.end(`${out}${frame({ choices: [], usage })}data: [DONE]\n\n`)
      return
    }
    res.write(out)
  })
  res.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' })
  if (isStreamed) res.flushHeaders()
  res.on('close', () => clock.cancel(job))
  submitted = clock.submit(job)
}

function usageOf(promptTokens: number, answerTokens: number, { cached }: EngineJob): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: answerTokens,
    total_tokens: promptTokens + answerTokens,
    prompt_tokens_details: { cached_tokens: cached },
  }
}

function wholeReply(answerTokens: number, usage: JsonObject): string {
  const message = { role: 'assistant', content: `${TOKEN} `.repeat(answerTokens) }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return JSON.stringify({ id: 'timed', object: 'chat.completion', created: 1, model: 'timed', choices, usage })
}

function frame(event: JsonObject): string {
  return `data: ${JSON.stringify({ id: 'timed', object: 'chat.completion.chunk', ...event })}\n\n`
}

function promptOf({ messages }: JsonObject): string {
  if (!Array.isArray(messages)) return ''
  return messages.map(message => (isObject(message) ? String(message.content) : '')).join('')
}

/** Keys of the complete blocks: FNV-1a and a second hash over the text up to the end of each block. */
export function blocksOf(text: string, blockTokens: number): number[] {
  const size = blockTokens * TOKEN_CHARACTERS
  const keys: number[] = []
  let high = 0x811c9dc5
  let low = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low + code, 0x85ebca6b)
    if ((at + 1) % size === 0) keys.push((high >>> 0) * 0x100000 + (low >>> 12))
  }
  return keys
}

function metricsOf({ cacheTokens, blockTokens }: EngineSpeed): string {
  const blocks = Math.floor(cacheTokens / blockTokens)
  return `# TYPE vllm:cache_config_info gauge\nvllm:cache_config_info{block_size="${blockTokens}",num_gpu_blocks="${blocks}"} 1.0\n`
}

function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
