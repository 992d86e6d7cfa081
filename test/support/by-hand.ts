/** Raw HTTP: bytes are sent unchanged, and responses are parsed without Node's parser. */
import net from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface RawExchange {
  /** Complete responses in order, without those of status 1xx. */
  readonly answers: readonly RawAnswer[]
  /** Bytes after the last complete response. */
  readonly rest: string
  /** 100 Continue was received. */
  readonly continued: boolean
  /** The server closed the connection. */
  readonly closed: boolean
  readonly ms: number
}

export interface RawOptions {
  /** Number of complete responses after which it stops waiting. */
  readonly answers?: number
  /** Milliseconds without a byte after which this side closes, then waits for the server to close. */
  readonly quietMs?: number
  /** Timeout in milliseconds. */
  readonly limitMs?: number
  /** Further bytes, each after a pause. */
  readonly later?: readonly string[]
  readonly pauseMs?: number
}

/** Sends bytes, one per character, over a new connection and collects the received bytes. */
export function raw(port: number, bytes: string, options: RawOptions = {}): Promise<RawExchange> {
  const { answers: wanted = 1, quietMs, limitMs = 2000, later = [], pauseMs = 10 } = options
  const started = performance.now()
  const isHead = bytes.startsWith('HEAD ')
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    let text = ''
    let quiet: NodeJS.Timeout | undefined
    const done = (closed: boolean) => {
      clearTimeout(limit)
      clearTimeout(quiet)
      socket.destroy()
      resolve({ ...parseAnswers(text, isHead), closed, ms: performance.now() - started })
    }
    const limit = setTimeout(() => done(false), limitMs)
    const armQuiet = () => {
      clearTimeout(quiet)
      if (quietMs !== undefined) quiet = setTimeout(() => socket.end(), quietMs)
    }
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      text += piece
      armQuiet()
      if (quietMs === undefined && parseAnswers(text, isHead).answers.length >= wanted) done(false)
    })
    socket.on('close', () => done(true))
    socket.on('error', () => {})
    socket.write(bytes, 'latin1')
    armQuiet()
    void (async () => {
      for (const piece of later) {
        await new Promise(next => setTimeout(next, pauseMs))
        if (socket.destroyed) return
        socket.write(piece, 'latin1')
      }
    })()
  })
}

/** `isHead`: the first response is to a HEAD request and has no body. */
function parseAnswers(text: string, isHead: boolean): Pick<RawExchange, 'answers' | 'rest' | 'continued'> {
  const answers: RawAnswer[] = []
  let continued = false
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(rest) ?? []
    if (end < 0 || status === undefined) break
    const headers = headersOf(rest.slice(0, end))
    const after = rest.slice(end + 4)
    if (status.startsWith('1')) {
      continued = true
      rest = after
      continue
    }
    const framed = isHead && answers.length === 0 ? { body: '', rest: after } : bodyOf(after, headers)
    if (framed === undefined) break
    answers.push({ status: Number(status), headers, body: Buffer.from(framed.body, 'latin1').toString() })
    rest = framed.rest
  }
  return { answers, rest, continued }
}

function headersOf(head: string): ReadonlyMap<string, string> {
  const [, ...lines] = head.split('\r\n')
  return new Map(
    lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

interface Framed {
  readonly body: string
  readonly rest: string
}

/** undefined: the body is not complete. */
function bodyOf(text: string, headers: ReadonlyMap<string, string>): Framed | undefined {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0)
    return text.length < length ? undefined : { body: text.slice(0, length), rest: text.slice(length) }
  }
  let body = ''
  let at = 0
  for (;;) {
    const line = text.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(text.slice(at, line), 16)
    const end = line + 2 + size
    if (text.length < end + 2) return undefined
    if (size === 0) return { body, rest: text.slice(end + 2) }
    body += text.slice(line + 2, end)
    at = end + 2
  }
}

/** Runs a job for each item, `width` at the same time. */
export async function pooled<T>(items: readonly T[], width: number, job: (item: T, index: number) => Promise<void>) {
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const at = next++
      await job(items[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work))
}
