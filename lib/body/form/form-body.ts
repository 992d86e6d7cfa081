import { randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '../../base/json.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { type ArrivingBody, NO_BODY, type OutgoingBody, type RequestBody } from '../request-body.ts'
import type { Upload } from './upload.ts'

/** A form with a file. Plugins read it as the JSON object of its fields, in which `file` is the file name. */
export class FormBody implements RequestBody {
  value: JsonObject
  readonly #upload: Upload

  constructor(upload: Upload) {
    this.#upload = upload
    this.value = upload.fields
  }

  get isHeavy(): boolean {
    return false
  }

  get isRepeatable(): boolean {
    return this.#upload.isRepeatable
  }

  validate<T>(check: (body: JsonObject) => T): T {
    return check(this.value)
  }

  translate(): CanonicalRequest {
    throw new Error('a form has no canonical form')
  }

  outgoing(encode: () => JsonObject): OutgoingBody {
    return new OutgoingForm(this.#upload, encode())
  }

  release(): void {
    this.value = NO_BODY
  }
}

/** The form for one backend: the fields in front of the file, the file, then the fields after it. */
class OutgoingForm implements OutgoingBody {
  readonly mediaType: string
  readonly length: number | undefined
  readonly arriving: ArrivingBody | undefined
  readonly #upload: Upload
  readonly #boundary = newBoundary()
  readonly #head: Buffer
  /** Number of late fields that arrived before this body was made. They are in its head. */
  readonly #lateInHead: number

  constructor(upload: Upload, fields: JsonObject) {
    this.#upload = upload
    this.#lateInHead = upload.late.length
    this.mediaType = `multipart/form-data; boundary=${this.#boundary}`
    const parts = Object.entries(fields).map(([name, value]) =>
      name === 'file' ? '' : fieldParts(this.#boundary, name, value!),
    )
    const { filename, mediaType } = upload
    this.#head = Buffer.from(`${parts.join('')}${fileHead(this.#boundary, 'file', filename, mediaType)}`)
    const end = FILE_END.length + formEnd(this.#boundary).length
    this.length = upload.isBuffered ? this.#head.length + upload.buffered.length + end : undefined
    this.arriving = upload.isBuffered ? undefined : upload
  }

  open(): AsyncIterable<Buffer> {
    const lateInHead = this.arriving === undefined ? null : this.#lateInHead
    return new FormPieces(this.#upload, this.#boundary, this.#head, lateInHead)
  }
}

/** Buffered bytes that are passed on at once. */
const PIECE_BYTES = 64 * 1024

/** The pieces of a form for one connection. */
class FormPieces implements AsyncIterableIterator<Buffer> {
  readonly #upload: Upload
  readonly #boundary: string
  readonly #lateInHead: number | null
  #head: Buffer | null
  #at = 0
  #hasEnded = false

  /** `lateInHead`: number of late fields that are in the head; null: the whole form is buffered. */
  constructor(upload: Upload, boundary: string, head: Buffer, lateInHead: number | null) {
    this.#upload = upload
    this.#boundary = boundary
    this.#head = head
    this.#lateInHead = lateInHead
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#hasEnded) return { done: true, value: undefined }
    const head = this.#head
    this.#head = null
    if (head !== null) return { done: false, value: head }
    const { buffered, late } = this.#upload
    const lateInHead = this.#lateInHead
    if (this.#at < buffered.length) {
      const from = this.#at
      this.#at += PIECE_BYTES
      return { done: false, value: buffered.subarray(from, this.#at) }
    }
    const piece = lateInHead === null ? null : await this.#upload.next()
    if (piece !== null) return { done: false, value: piece }
    this.#hasEnded = true
    const rest = lateInHead === null ? [] : late.slice(lateInHead)
    const fields = rest.map(([name, text]) => fieldParts(this.#boundary, name, text))
    return { done: false, value: Buffer.from(`${FILE_END}${fields.join('')}${formEnd(this.#boundary)}`) }
  }

  /** The connection broke, or the form is no longer needed. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#hasEnded = true
    return Promise.resolve({ done: true, value: undefined })
  }
}

// ------------------------------------------------------------ multipart/form-data (RFC 7578)

/** With 128 random bits, which no file contains by chance and no client knows. */
function newBoundary(): string {
  return `sluiceway-${randomBytes(16).toString('hex')}`
}

function fieldParts(boundary: string, name: string, value: Json): string {
  const values = Array.isArray(value) ? value : [value]
  return values.map(each => `--${boundary}\r\n${disposition(name)}\r\n\r\n${each}\r\n`).join('')
}

function fileHead(boundary: string, name: string, filename: string, mediaType: string): string {
  const type = /^[\w!#$&^.+/;= -]{1,100}$/.test(mediaType) ? mediaType : 'application/octet-stream'
  return `--${boundary}\r\n${disposition(name)}; filename="${quotable(filename)}"\r\nContent-Type: ${type}\r\n\r\n`
}

const FILE_END = '\r\n'

function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quotable(name)}"`
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** Escapes a name as browsers do (WHATWG HTML, multipart/form-data encoding). */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, character => ESCAPES[character]!)
}
