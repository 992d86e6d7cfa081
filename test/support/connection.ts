/** One connection on which a test writes raw bytes and reads the response. */
import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import type { JsonObject } from '../../lib/base/json.ts'

/** Far above the time on a busy machine. */
const MOST_MS = 60_000

export class RawConnection {
  readonly socket: Socket
  /** Resolves with all received bytes when the other side has closed. */
  readonly closed: Promise<string>
  #received = ''

  constructor(url: string) {
    const { hostname: host, port, protocol } = new URL(url)
    const at = { host, port: Number(port) }
    this.socket = protocol === 'https:' ? tls.connect({ ...at, rejectUnauthorized: false }) : net.connect(at)
    this.socket.setEncoding('latin1')
    this.socket.on('data', text => (this.#received += text))
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`still open; so far: ${this.#received}`)), MOST_MS)
      this.socket.on('close', () => {
        clearTimeout(timer)
        resolve(this.#received)
      })
    })
    // Prevents an unhandled rejection in tests that do not wait for the end.
    this.closed.catch(() => {})
  }

  get received(): string {
    return this.#received
  }

  write(text: string): void {
    this.socket.write(text, 'latin1')
  }

  /** Waits for a text in the received bytes. */
  async until(text: string): Promise<void> {
    const deadline = Date.now() + MOST_MS
    while (!this.#received.includes(text)) {
      if (Date.now() > deadline) throw new Error(`'${text}' did not come; so far: ${this.#received}`)
      await sleep(5)
    }
  }
}

/** All bytes that are received for these bytes until the server closes the connection. */
export function rawExchange(url: string, text: string): Promise<string> {
  const connection = new RawConnection(url)
  connection.write(text)
  return connection.closed
}

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** `{}` if the body is not JSON. */
  readonly json: JsonObject
}

/** The responses in received bytes, each framed by its Content-Length. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no head: ${rest}`)
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    const json = headers['content-type'] === 'application/json' ? (JSON.parse(body) as JsonObject) : {}
    answers.push({ status: Number(first.split(' ')[1]), headers, body, json })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
