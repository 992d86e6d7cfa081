/** Forms with audio files, and a server for them. The bytes are generated, and never in memory as a whole. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'

export type Field = readonly [name: string, value: string]

export interface FormOptions {
  /** Length of the file; undefined: no file. */
  readonly bytes?: number
  /** Fields in front of the file. */
  readonly before?: readonly Field[]
  readonly after?: readonly Field[]
  readonly filename?: string
}

const BLOCK = Buffer.alloc(64 * 1024, 'audio')

export const BOUNDARY = 'test-boundary'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

const fieldPart = ([name, value]: Field) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** A form, piece by piece. */
export function* formBytes({ bytes, before = [], after = [], filename = 'a.wav' }: FormOptions): Generator<Buffer> {
  for (const field of before) yield Buffer.from(fieldPart(field))
  if (bytes !== undefined) {
    const head = `content-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: audio/wav`
    yield Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`)
    for (let left = bytes; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left)
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`${after.map(fieldPart).join('')}--${BOUNDARY}--\r\n`)
}

/** The form as one buffer. */
export function formBuffer(options: FormOptions): Buffer {
  return Buffer.concat([...formBytes(options)])
}

export interface AudioAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A POST whose body is written as fast as the connection accepts it. */
export function upload(
  url: string,
  key: string,
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  headers: Record<string, string> = {},
) {
  const all = { authorization: `Bearer ${key}`, 'content-type': FORM_TYPE, ...headers }
  const call = request(`${url}/v1/audio/transcriptions`, { method: 'POST', headers: all })
  const answer = new Promise<AudioAnswer>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', res => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (part: string) => {
        text += part
      })
      res.on('error', reject)
      res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, text }))
    })
  })
  answer.catch(() => {})
  const source = Readable.from(body, { objectMode: false, highWaterMark: BLOCK.length })
  source.on('error', () => {})
  call.on('close', () => source.destroy())
  source.pipe(call)
  return { call, answer }
}

export interface SeenForm {
  readonly headers: IncomingHttpHeaders
  readonly fields: Field[]
  filename: string | undefined
  mediaType: string | undefined
  /** Bytes of the file that were received. */
  bytes: number
  isWhole: boolean
  isAborted: boolean
}

export interface AudioBackend {
  readonly url: string
  /** Oldest first. */
  readonly forms: SeenForm[]
  /** Called after the head of a request. Returns true if it has replied. */
  onHead: (req: IncomingMessage, res: ServerResponse) => boolean
  /** While true, no body is read. */
  isStalled: boolean
  reply: (res: ServerResponse, form: SeenForm) => void
  readonly connections: () => Promise<number>
  close(): Promise<void>
}

export const TRANSCRIPTION = { text: 'Hello.', usage: { type: 'duration', seconds: 7 } }

/** Reads forms, and replies when they are complete. */
export async function audioBackend(): Promise<AudioBackend> {
  const forms: SeenForm[] = []
  const server = createServer((req, res) => {
    if (req.url === '/health') return void res.end()
    // Metrics and models may be requested at any time.
    if (req.method === 'GET') return void res.writeHead(404).end()
    const form: SeenForm = {
      headers: req.headers,
      fields: [],
      filename: undefined,
      mediaType: undefined,
      bytes: 0,
      isWhole: false,
      isAborted: false,
    }
    forms.push(form)
    res.on('close', () => {
      form.isAborted = !res.writableFinished
    })
    if (backend.onHead(req, res)) return
    const parser = new Busboy({ headers: req.headers as { 'content-type': string } })
    parser.on('field', (name, value) => form.fields.push([name, value]))
    parser.on('file', (_name, file, filename, _encoding, mediaType) => {
      form.filename = filename
      form.mediaType = mediaType
      file.on('data', (piece: Buffer) => {
        form.bytes += piece.length
      })
      file.on('error', () => {})
    })
    parser.on('error', () => {})
    parser.on('finish', () => {
      form.isWhole = true
      backend.reply(res, form)
    })
    if (!backend.isStalled) req.pipe(parser)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const backend: AudioBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    forms,
    onHead: () => false,
    isStalled: false,
    reply: res => void res.setHeader('content-type', 'application/json').end(JSON.stringify(TRANSCRIPTION)),
    connections: () => new Promise((resolve, reject) => server.getConnections((e, n) => (e ? reject(e) : resolve(n)))),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return backend
}
