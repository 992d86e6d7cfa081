/** Requests of clients with their responses, for code that needs both. */
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OpenExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** A server that reads requests and does not answer them. */
export class ClientExchanges {
  readonly #server = http.createServer((req, res) => {
    req.resume()
    req.once('end', () => this.#onRead({ req, res }))
  })
  #onRead!: (exchange: OpenExchange) => void

  /** Sends a request, and resolves when it has been read. */
  async open(path = '/v1/embeddings', headers: IncomingHttpHeaders = {}): Promise<OpenExchange> {
    const server = this.#server
    if (!server.listening) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const read = new Promise<OpenExchange>(resolve => {
      this.#onRead = resolve
    })
    const { port } = server.address() as AddressInfo
    const request = http.request({ port, path, method: 'POST', headers: { ...headers }, agent: false })
    request.on('error', () => {})
    request.on('continue', () => {})
    request.end('{}')
    return read
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** The number of listeners of all events. */
export function listenersOf({ req, res }: OpenExchange): number {
  const counts = [req, res].flatMap(one => one.eventNames().map(name => one.listenerCount(name)))
  return counts.reduce((sum, count) => sum + count, 0)
}
