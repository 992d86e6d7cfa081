/** A simulated engine whose list of models changes. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from '../../lib/base/json.ts'
import type { SimulatorOptions } from '../../simulator/options.ts'
import { createSimulator } from '../../simulator/server.ts'

export interface ModelServer {
  /** Base URL. */
  readonly url: string
  readonly port: number
  /** The ids that it lists. It serves all models of its options at any time. */
  list: readonly string[]
  /** Replaces the reply to the request for the list. */
  answer: ((res: ServerResponse) => void) | undefined
  /** Requests for the list. */
  readonly lists: number
  /** Bodies of requests for chat completions. */
  readonly chats: readonly { readonly model: string; readonly key: string | undefined }[]
  close(): Promise<void>
}

/** `ids`: the models that it can serve, and lists at the beginning. */
export async function modelServer(ids: readonly string[], options: SimulatorOptions = {}): Promise<ModelServer> {
  const chats: { model: string; key: string | undefined }[] = []
  const simulator = createSimulator({
    models: ids.map(id => ({ id, max_model_len: 4096 })),
    tokens_per_second: 0,
    first_token_ms: 0,
    ...options,
    onRequest: ({ path, body, headers }) => {
      if (path === '/v1/chat/completions')
        chats.push({ model: (body as { model: string }).model, key: headers.authorization })
    },
  })
  const port = await simulator.listen(0, '127.0.0.1')
  let lists = 0
  const front = http.createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/v1/models') return forward(req, res, port)
    lists++
    if (server.answer !== undefined) return server.answer(res)
    const data = server.list.map(id => ({ id, object: 'model', owned_by: 'vllm', created: lists, max_model_len: 4096 }))
    sendList(res, data)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const own = (front.address() as AddressInfo).port
  const server: ModelServer = {
    url: `http://127.0.0.1:${own}/v1`,
    port: own,
    list: ids,
    answer: undefined,
    get lists() {
      return lists
    },
    chats,
    async close() {
      front.closeAllConnections()
      await new Promise(resolve => front.close(resolve))
      await simulator.close()
    },
  }
  return server
}

export function sendList(res: ServerResponse, data: Json): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
}

function forward(req: IncomingMessage, res: ServerResponse, port: number): void {
  const { method, url, headers } = req
  const to = http.request({ host: '127.0.0.1', port, method, path: url, headers }, reply => {
    res.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(res)
  })
  to.on('error', () => res.destroy())
  res.on('close', () => to.destroy())
  req.pipe(to)
}
