/** A backend that follows the script of a test: it replies, is slow, stalls, resets, or sends invalid replies. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../lib/base/json.ts'
import { PROFILES } from '../../lib/config/profile.ts'

export interface SeenRequest {
  readonly path: string
  readonly method: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: JsonObject
  readonly bytes: Buffer
}

export type Script = (res: ServerResponse, request: SeenRequest, req: IncomingMessage) => void | Promise<void>

export interface ScriptedBackend {
  readonly url: string
  readonly port: number
  /** Requests of clients, oldest first. The gateway's own requests are not included. */
  readonly requests: SeenRequest[]
  /** Requests whose connection closed before the response was complete. */
  readonly aborted: SeenRequest[]
  /** Replies to the next requests. */
  script: Script
  close(): Promise<void>
}

const profiles = Object.values(PROFILES)
const HEALTH_PATHS: ReadonlySet<unknown> = new Set(profiles.map(({ health_path }) => health_path))
const CACHE_PATHS: ReadonlySet<unknown> = new Set(profiles.map(({ cache_path }) => cache_path))

/**
 * The status for the gateway's own requests; undefined: a client's request. Health checks succeed. Routing requests the
 * size of the cache after a health check, and a gateway requests the models at start: both get 404.
 */
function statusOfOwn({ method, url = '' }: IncomingMessage): number | undefined {
  if (method !== 'GET') return undefined
  if (HEALTH_PATHS.has(url)) return 200
  return CACHE_PATHS.has(url) || url.endsWith('/models') ? 404 : undefined
}

const isForm = ({ headers }: IncomingMessage) => headers['content-type']?.startsWith('multipart/') === true

export async function scriptedBackend(script: Script = reply()): Promise<ScriptedBackend> {
  const requests: SeenRequest[] = []
  const aborted: SeenRequest[] = []
  const server = http.createServer((req, res) => {
    // The gateway sends these at any time. They are not recorded, and the script does not apply.
    const own = statusOfOwn(req)
    if (own !== undefined) return void res.writeHead(own).end()
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const bytes = Buffer.concat(parts)
      const text = bytes.toString()
      const seen: SeenRequest = {
        path: req.url ?? '',
        method: req.method ?? '',
        headers: req.headers,
        bytes,
        // The body of a form is in `bytes` only.
        body: text === '' || isForm(req) ? {} : (JSON.parse(text) as JsonObject),
      }
      requests.push(seen)
      res.on('close', () => {
        if (!res.writableFinished) aborted.push(seen)
      })
      res.on('error', () => {})
      void backend.script(res, seen, req)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const backend: ScriptedBackend = {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    aborted,
    script,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return backend
}

export const USAGE = {
  prompt_tokens: 5,
  completion_tokens: 2,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 1 },
}

/** A JSON response. */
export function reply(text = 'Hello', more: JsonObject = {}): Script {
  return (res, { body }) => {
    if (body.stream === true) return events(...textEvents(text))(res, {} as SeenRequest, {} as IncomingMessage)
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: body.model ?? 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: text, ...more }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
    )
  }
}

/** An error response. */
export function status(code: number, body: JsonObject | string, headers: http.OutgoingHttpHeaders = {}): Script {
  return res => {
    res.writeHead(code, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...headers })
    res.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** A stream of these events: strings unchanged, objects as JSON. Ends with `[DONE]` and a clean close. */
export function events(...data: readonly (JsonObject | string)[]): Script {
  return res => {
    startStream(res)
    for (const one of data) sendEvent(res, one)
    res.end('data: [DONE]\n\n')
  }
}

export function startStream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.flushHeaders()
}

export function sendEvent(res: ServerResponse, data: JsonObject | string): void {
  res.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
}

/** The events of vLLM for a text: a role chunk, one chunk per word, the finish reason, the usage. */
export function textEvents(text: string, finish = 'stop'): JsonObject[] {
  const words = text.match(/\S+\s*/g) ?? []
  return [
    delta({ role: 'assistant', content: '' }),
    ...words.map(word => delta({ content: word })),
    delta({}, finish),
    { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: USAGE },
  ]
}

export function delta(content: JsonObject, finish: string | null = null): JsonObject {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: content, finish_reason: finish }],
  }
}
