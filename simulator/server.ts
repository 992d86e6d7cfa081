import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../lib/base/clock.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../lib/base/json.ts'
import { Admission } from './admission.ts'
import { planChat } from './chat.ts'
import { ChatWire } from './chat-wire.ts'
import { llamaCpp } from './engine-llama-cpp.ts'
import { sglang } from './engine-sglang.ts'
import type { EngineTraits, PoolingRoute, Sound } from './engine-traits.ts'
import { vllm } from './engine-vllm.ts'
import { readAudioForm } from './form.ts'
import { Generation, type Playback } from './generation.ts'
import type { EngineLoad } from './load.ts'
import { type SimulatedEngine, type SimulatorOptions, settingsOf } from './options.ts'
import { findModel, type Plan, type Simulation } from './plan.ts'
import { PrefixCache } from './prefix-cache.ts'
import { badRequest, Refusal } from './refusal.ts'
import { errorFrames, send, sendJson, sendPage, sendRefusal, startStream } from './reply.ts'
import { planText } from './text.ts'
import { TextWire } from './text-wire.ts'
import { Ticker } from './ticker.ts'
import { applyTemplate, detokenize, tokenize } from './tokenize.ts'
import type { Wire } from './wire.ts'

export interface Simulator {
  readonly server: Server
  readonly stats: SimulatorStats
  /** Resolves with the port. `port` 0: any free port. */
  listen(port: number, host: string): Promise<number>
  /** Closes all connections. */
  close(): Promise<void>
  /** Sets the result of GET /health. */
  setHealthy(healthy: boolean): void
}

/** Counters since the start, and the current state. */
export interface SimulatorStats {
  /** Requests that are generating. */
  readonly inFlight: number
  /** Requests in the queue. */
  readonly waiting: number
  /** Requests to POST routes. */
  readonly requests: number
  /** Generations whose client disconnected before the end. */
  readonly cancelled: number
  /** Requests refused because the queue was full. */
  readonly refused: number
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly completionTokens: number
}

const TRAITS: Readonly<Record<SimulatedEngine, EngineTraits>> = { vllm, sglang, 'llama.cpp': llamaCpp }

const MAX_BODY_BYTES = 128 * 1024 * 1024
const CACHE_BLOCKS = 16_384

/** Creates a server that imitates an inference engine (docs/SIMULATOR.md). */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const engine = TRAITS[options.engine ?? 'vllm']
  const settings = settingsOf(options, engine)
  const maxRunning = options.max_concurrency ?? Number.POSITIVE_INFINITY
  const admission = new Admission(maxRunning, options.max_queue ?? Number.POSITIVE_INFINITY)
  const blocks = options.cache_blocks ?? CACHE_BLOCKS
  const simulation: Simulation = { settings, engine, cache: new PrefixCache(blocks) }
  const generating = new Set<Generation>()
  const counts = { requests: 0, cancelled: 0, refused: 0, promptTokens: 0, cachedTokens: 0, completionTokens: 0 }
  const playback: Playback = {
    engine,
    settings,
    ticker: new Ticker(),
    onTokens(count) {
      counts.completionTokens += count
    },
  }
  const created = Math.floor(systemClock.now() / 1000)
  let isHealthy = true

  const posts: Readonly<Record<string, (body: JsonObject, res: ServerResponse) => void | Promise<void>>> = {
    async '/v1/chat/completions'(body, res) {
      const plan = await planChat(body, simulation)
      play(plan, new ChatWire(plan, engine, settings.reportCachedTokens), res)
    },
    async '/v1/completions'(body, res) {
      const plan = await planText(body, simulation)
      play(plan, new TextWire(plan, engine, settings.reportCachedTokens), res)
    },
    '/tokenize': (body, res) => sendJson(res, 200, tokenize(body, simulation)),
    '/detokenize': (body, res) => sendJson(res, 200, detokenize(body, engine)),
    ...(engine.tokenize === 'content'
      ? {
          '/apply-template': (body: JsonObject, res: ServerResponse) =>
            sendJson(res, 200, applyTemplate(body, simulation)),
        }
      : {}),
    ...Object.fromEntries(Object.entries(engine.pooling).map(([path, route]) => [path, pooling(route)])),
  }

  function pooling(route: PoolingRoute) {
    return (body: JsonObject, res: ServerResponse) => {
      const { id: model, max_model_len } = findModel(body, simulation)
      const checkLength = (tokens: number) => {
        const refusal = engine.checkContext(tokens, undefined, max_model_len)
        if (refusal !== undefined) throw refusal
      }
      const reply = route(body, { model, seed: settings.seed, checkLength })
      if (isSound(reply)) return void res.writeHead(200, { 'content-type': reply.mediaType }).end(reply.bytes)
      send(res, 200, 'application/json', JSON.stringify(reply))
    }
  }

  function play(plan: Plan, wire: Wire, res: ServerResponse): void {
    // The client disconnected while the reply was planned.
    if (res.closed) return
    const { directives, stream } = plan
    if (directives.drop === true) return void res.socket?.destroy()
    if (directives.status !== undefined) return sendDirectedStatus(directives.status, plan, res)
    if (directives.queue_full === true || admission.isFull) return refuseFull(stream, res)
    counts.promptTokens += plan.prompt.tokens
    counts.cachedTokens += plan.prompt.cached
    const generation = new Generation(plan, wire, res, playback)
    if (stream) startStream(res, engine)
    const admitted = admission.enter(() => {
      generating.add(generation)
      generation.start()
    })
    const leave = () => {
      generating.delete(generation)
      admitted?.leave()
    }
    res.on('close', () => {
      if (generation.isOver) return leave()
      if (!stream && !engine.cancelsJsonReply) return generation.continueDetached(leave)
      generation.cancel()
      counts.cancelled++
      leave()
    })
  }

  function refuseFull(stream: boolean, res: ServerResponse): void {
    counts.refused++
    if (!stream || !settings.queueFullInStream) return sendRefusal(res, engine, engine.queueFull)
    refuseInStream(engine.queueFull, res)
  }

  function refuseInStream(refusal: Refusal, res: ServerResponse): void {
    startStream(res, engine)
    res.end(errorFrames(engine, refusal))
  }

  function sendDirectedStatus(status: number, { directives }: Plan, res: ServerResponse): void {
    const { retry_after: retryAfter, body } = directives
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    if (body === 'html') return sendPage(res, status, headers)
    if (body === 'empty') return send(res, status, 'text/plain', '', headers)
    const refusal = new Refusal(status, `Simulated answer with status ${status}.`)
    sendJson(res, status, engine.errorBody(refusal), headers)
  }

  function loadNow(): EngineLoad {
    let usedTokens = 0
    for (const generation of generating) usedTokens += generation.tokens
    const { running, waiting } = admission
    return { running, waiting, maxRunning, usedTokens, blocks, ...counts }
  }

  function get(path: string, res: ServerResponse): void {
    const info = engine.info[path]
    if (info !== undefined) {
      const reply = info(settings.models[0]!, loadNow())
      if (typeof reply !== 'string') return sendJson(res, 200, reply)
      return send(res, 200, 'text/plain; version=0.0.4; charset=utf-8', reply)
    }
    if (path === '/v1/models') return sendJson(res, 200, engine.modelList(settings.models, created))
    if (path !== '/health') return sendJson(res, 404, engine.routeError(404))
    if (isHealthy) send(res, 200, engine.healthBody === '' ? 'text/plain' : 'application/json', engine.healthBody)
    else send(res, 503, 'text/plain', '')
  }

  async function post(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const bytes = await readBody(req)
    if (bytes === undefined) return
    counts.requests++
    let isStream = false
    try {
      if (Object.hasOwn(engine.audio, path)) return await transcribe(path, bytes, req, res)
      const body: Json | undefined = parseJson(bytes.toString())
      if (body === undefined) throw engine.invalidJson
      options.onRequest?.({ path, headers: req.headers, body })
      if (!isObject(body)) throw badRequest('The body must be a JSON object.')
      isStream = body.stream === true
      await posts[path]!(body, res)
    } catch (error) {
      // Any other error is answered as a failure of the engine, so that no body can end the process.
      const refusal = error instanceof Refusal ? error : new Refusal(500, String(error))
      if (isStream && refusal.details.inStream) refuseInStream(refusal, res)
      else sendRefusal(res, engine, refusal)
    }
  }

  async function transcribe(path: string, bytes: Buffer, { headers }: IncomingMessage, res: ServerResponse) {
    const form = await readAudioForm(headers['content-type'], bytes)
    const body = { ...form.fields, file: form.filename }
    options.onRequest?.({ path, headers, body })
    const { mediaType, parts } = engine.audio[path]!(form, findModel(form.fields, simulation).id)
    if (parts.length === 1) return send(res, 200, mediaType, parts[0]!)
    res.writeHead(200, { 'content-type': mediaType })
    for (const part of parts) res.write(part)
    res.end()
  }

  const server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0]!
    const isAuthorized = options.api_key === undefined || req.headers.authorization === `Bearer ${options.api_key}`
    if (!isAuthorized && path.startsWith('/v1')) {
      return sendJson(res, engine.unauthorized.status, engine.unauthorized.body)
    }
    if (req.method === 'GET' || req.method === 'HEAD') return get(path, res)
    if (req.method !== 'POST') return sendJson(res, 405, engine.routeError(405))
    if (!Object.hasOwn(posts, path) && !Object.hasOwn(engine.audio, path))
      return sendJson(res, 404, engine.routeError(404))
    void post(path, req, res)
  })
  server.maxRequestsPerSocket = engine.maxRequestsPerSocket

  return {
    server,
    get stats() {
      return { inFlight: admission.running, waiting: admission.waiting, ...counts }
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    setHealthy(healthy) {
      isHealthy = healthy
    },
  }
}

/** The body; undefined: the client disconnected, or the body is too large. */
function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BODY_BYTES) req.destroy()
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
    req.on('error', () => resolve(undefined))
    req.on('close', () => resolve(undefined))
  })
}

function isSound(reply: ReturnType<PoolingRoute>): reply is Sound {
  return typeof reply === 'object' && reply !== null && 'bytes' in reply && Buffer.isBuffer(reply.bytes)
}
