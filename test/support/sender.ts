/** A client for many requests: kept-alive connections, any bytes as body, no check of the response. */
import http from 'node:http'
import { KEY } from './gateway.ts'

export interface Sent {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly ms: number
}

export class Sender {
  readonly #url: URL
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  post(path: string, body: string | Buffer, headers: http.OutgoingHttpHeaders = {}): Promise<Sent> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          path,
          method: 'POST',
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${KEY}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...headers,
          },
        },
        response => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (piece: string) => {
            text += piece
          })
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              ms: performance.now() - started,
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
