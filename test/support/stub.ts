/** A server of a few fixed replies that the simulated backend never sends. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isObject, type Json, type JsonObject, parseJson } from '../../lib/base/json.ts'

interface StubReply {
  readonly status?: number
  readonly body?: Json
  /** Instead of a body: a stream. */
  readonly events?: readonly Json[]
}

/** Fixed, or computed from the request's body. undefined: never answers. */
export type StubAnswer = StubReply | ((body: JsonObject) => StubReply) | undefined

const running: Server[] = []

/** Replies by `METHOD /path`. Other requests get a 404 without a body. Resolves with the server's root URL. */
export async function stubServer(answers: Readonly<Record<string, StubAnswer>>): Promise<string> {
  const server = createServer((req, res) => {
    const route = `${req.method} ${req.url}`
    if (!Object.hasOwn(answers, route)) return res.writeHead(404).end()
    const answer = answers[route]
    if (answer === undefined) return
    void text(req).then(bytes => {
      const body = parseJson(bytes)
      const reply = typeof answer === 'function' ? answer(isObject(body) ? body : {}) : answer
      if (reply.events === undefined) {
        res.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
      } else {
        const frames = reply.events.map(event => `data: ${JSON.stringify(event)}\n\n`)
        res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${frames.join('')}data: [DONE]\n\n`)
      }
    })
  })
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** For afterEach. */
export async function closeStubs(): Promise<void> {
  await Promise.all(
    running.splice(0).map(server => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    }),
  )
}

/** An address without a server. */
export async function deadAddress(): Promise<string> {
  const root = await stubServer({})
  await closeStubs()
  return root
}
