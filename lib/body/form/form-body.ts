import type { JsonObject } from '../../base/json.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { type ArrivingBody, NO_BODY, type OutgoingBody, type RequestBody } from '../request-body.ts'
import { FILE_END, fieldParts, formEnd } from './parts.ts'
import type { Upload } from './upload.ts'

/** A form with files. Plugins read it as the JSON object of its fields, in which a file is its file name. */
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

/** The form for one backend: the fields known so far, the files, then later fields. */
class OutgoingForm implements OutgoingBody {
  readonly mediaType: string
  readonly length: number | undefined
  readonly arriving: ArrivingBody | undefined
  readonly #upload: Upload
  readonly #head: Buffer
  /** Number of late fields that arrived before this body was made. They are in its head. */
  readonly #lateInHead: number

  constructor(upload: Upload, fields: JsonObject) {
    this.#upload = upload
    this.#lateInHead = upload.late.length
    const { boundary } = upload
    this.mediaType = `multipart/form-data; boundary=${boundary}`
    const parts = Object.entries(fields).map(([name, value]) =>
      upload.isFile(name) ? '' : fieldParts(boundary, name, value!),
    )
    this.#head = Buffer.from(parts.join(''))
    const end = FILE_END.length + formEnd(boundary).length
    this.length = upload.isBuffered ? this.#head.length + upload.buffered.length + end : undefined
    this.arriving = upload.isBuffered ? undefined : upload
  }

  open(): AsyncIterable<Buffer> {
    const lateInHead = this.arriving === undefined ? null : this.#lateInHead
    return new FormPieces(this.#upload, this.#head, lateInHead)
  }
}

/** Buffered bytes that are passed on at once. */
const PIECE_BYTES = 64 * 1024

/** The pieces of a form for one connection. */
class FormPieces implements AsyncIterableIterator<Buffer> {
  readonly #upload: Upload
  readonly #lateInHead: number | null
  #head: Buffer | null
  #at = 0
  #hasEnded = false

  /** `lateInHead`: number of late fields that are in the head; null: the whole form is buffered. */
  constructor(upload: Upload, head: Buffer, lateInHead: number | null) {
    this.#upload = upload
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
    const { buffered, late, boundary } = this.#upload
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
    const fields = rest.map(([name, text]) => fieldParts(boundary, name, text))
    return { done: false, value: Buffer.from(`${FILE_END}${fields.join('')}${formEnd(boundary)}`) }
  }

  /** The connection broke, or the form is no longer needed. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#hasEnded = true
    return Promise.resolve({ done: true, value: undefined })
  }
}
