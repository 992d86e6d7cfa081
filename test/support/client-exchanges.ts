/** Requests of clients and the responses to them, for code that is given both. */
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OpenExchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** A server whose requests are read and not answered. */
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

/** How many listeners of all events there are. */
export function listenersOf({ req, res }: OpenExchange): number {
  const counts = [req, res].flatMap(one => one.eventNames().map(name => one.listenerCount(name)))
  return counts.reduce((sum, count) => sum + count, 0)
}
