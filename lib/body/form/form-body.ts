import { randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '../../base/json.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { NO_BODY, type OutgoingBody, type RequestBody } from '../request-body.ts'
import type { ArrivingBody } from './arriving.ts'
import type { Upload } from './upload.ts'

/** A form with a file. To plugins it is the JSON object of its fields, in which `file` is the name of the file. */
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

/** The form for one backend: the fields that were checked, then the file, then the fields that came behind it. */
class OutgoingForm implements OutgoingBody {
  readonly mediaType: string
  readonly length: number | undefined
  readonly arriving: ArrivingBody | undefined
  readonly #upload: Upload
  readonly #boundary = newBoundary()
  readonly #head: Buffer
  /** Fields behind the file that have come before this body was made: they are in its head. */
  readonly #known: number

  constructor(upload: Upload, fields: JsonObject) {
    this.#upload = upload
    this.#known = upload.late.length
    this.mediaType = `multipart/form-data; boundary=${this.#boundary}`
    const parts = Object.entries(fields).map(([name, value]) =>
      name === 'file' ? '' : fieldParts(this.#boundary, name, value!),
    )
    const { filename, mediaType } = upload
    this.#head = Buffer.from(`${parts.join('')}${fileHead(this.#boundary, 'file', filename, mediaType)}`)
    const end = FILE_END.length + formEnd(this.#boundary).length
    this.length = upload.isHeld ? this.#head.length + upload.held.length + end : undefined
    this.arriving = upload.isHeld ? undefined : upload
  }

  open(): AsyncIterable<Buffer> {
    return new FormPieces(this.#upload, this.#boundary, this.#head, this.arriving === undefined ? null : this.#known)
  }
}

/** Bytes of held memory that are passed on at once. */
const PIECE_BYTES = 64 * 1024

/** A form on its way over one connection. */
class FormPieces implements AsyncIterableIterator<Buffer> {
  readonly #upload: Upload
  readonly #boundary: string
  readonly #known: number | null
  #head: Buffer | null
  #at = 0
  #isOver = false

  /** `known`: late fields that are in the head; null: the whole form is held. */
  constructor(upload: Upload, boundary: string, head: Buffer, known: number | null) {
    this.#upload = upload
    this.#boundary = boundary
    this.#head = head
    this.#known = known
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.#isOver) return { done: true, value: undefined }
    const head = this.#head
    this.#head = null
    if (head !== null) return { done: false, value: head }
    const { held, late } = this.#upload
    const known = this.#known
    if (this.#at < held.length) {
      const from = this.#at
      this.#at += PIECE_BYTES
      return { done: false, value: held.subarray(from, this.#at) }
    }
    const piece = known === null ? null : await this.#upload.next()
    if (piece !== null) return { done: false, value: piece }
    this.#isOver = true
    const fields = known === null ? [] : late.slice(known).map(([name, text]) => fieldParts(this.#boundary, name, text))
    return { done: false, value: Buffer.from(`${FILE_END}${fields.join('')}${formEnd(this.#boundary)}`) }
  }

  /** The connection broke, or the form is not needed any more. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#isOver = true
    return Promise.resolve({ done: true, value: undefined })
  }
}

// ------------------------------------------------------------ multipart/form-data as it is written (RFC 7578)

/** 128 random bits: no file holds them by chance, and no client knows them. */
function newBoundary(): string {
  return `sluiceway-${randomBytes(16).toString('hex')}`
}

/** One field; a list is a part for each of its values. */
function fieldParts(boundary: string, name: string, value: Json): string {
  const values = Array.isArray(value) ? value : [value]
  return values.map(each => `--${boundary}\r\n${disposition(name)}\r\n\r\n${each}\r\n`).join('')
}

/** What stands before the bytes of a file. */
function fileHead(boundary: string, name: string, filename: string, mediaType: string): string {
  const type = /^[\w!#$&^.+/;= -]{1,100}$/.test(mediaType) ? mediaType : 'application/octet-stream'
  return `--${boundary}\r\n${disposition(name)}; filename="${quotable(filename)}"\r\nContent-Type: ${type}\r\n\r\n`
}

/** What stands behind them. */
const FILE_END = '\r\n'

function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quotable(name)}"`
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

/** As browsers write names. */
function quotable(name: string): string {
  return name.replace(/["\r\n]/g, character => ESCAPES[character]!)
}
