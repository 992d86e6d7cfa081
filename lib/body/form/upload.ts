import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ByteBuffer } from '../../base/byte-buffer.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { fail, failure, type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { quoted, shortened, type Words, words } from '../../text/quoted.ts'
import { type PipedSource, tooEarly } from '../feed.ts'
import { askForBody, brokenBodyError, onBodyAbandoned, onBodyBroken } from '../read.ts'
import type { ArrivalListener, ArrivingBody } from '../request-body.ts'
import { FormFields, type fieldTypes } from './fields.ts'
import { type FormParser, formParser } from './parser.ts'

/** The rules of a route whose body is a form. */
interface FormRules {
  readonly types: ReturnType<typeof fieldTypes>
  /** Validates an object of fields by its schema, which has `file` and `model`. Throws the refusal. */
  readonly check: (body: Json) => unknown
  /** Maximum size of the body in bytes. */
  readonly limit: number
  /** Bytes of the file that are buffered, so that the fields are known first and a second attempt is possible. */
  readonly bufferBytes: number
}

const MAX_FIELD_BYTES = 16 * 1024
const LIMITS = { files: 1, fields: 32, parts: 34, fieldSize: MAX_FIELD_BYTES, headerPairs: 16, headerSize: 4096 }

/** A form with one file, whose start is buffered. The rest of a longer file is read only by next(). */
export class Upload implements ArrivingBody {
  filename = ''
  mediaType = ''
  readonly #source: PipedSource
  readonly #rules: FormRules
  readonly #fields: FormFields
  readonly #parser: FormParser
  readonly #stop: () => void
  #file: Readable | null = null
  /** The start of the file; null: dropped. */
  #buffer: ByteBuffer | null = new ByteBuffer()
  /** read() has resolved. Before that, the file is buffered. */
  #hasStarted = false
  #isComplete = false
  #isClosed = false
  /** Fields after a file that is longer than the buffer. */
  readonly late: (readonly [name: string, text: string])[] = []
  #waiting: Buffer[] = []
  /** Resolves a call of next(); null: none is pending. */
  #resolveNext: ((piece: Buffer | null) => void) | null = null
  #listener: ArrivalListener | null = null
  #error: GatewayError | undefined
  #onStarted!: (refusal: GatewayError | undefined) => void

  private constructor(source: PipedSource, rules: FormRules) {
    this.#source = source
    this.#rules = rules
    this.#fields = new FormFields(rules.types)
    this.#parser = formParser(source.headers['content-type'], LIMITS)
    this.#stop = this.#listen(source.req)
  }

  /** Resolves when the form is complete or the buffer for its file is full. Rejects with the refusal. */
  static async read(source: PipedSource, rules: FormRules): Promise<Upload> {
    if (source.gone || source.req.destroyed) throw tooEarly()
    const upload = new Upload(source, rules)
    const refusal = await new Promise<GatewayError | undefined>((resolve, reject) => {
      upload.#onStarted = resolve
      try {
        askForBody(source, rules.limit)
        if (brokenBodyError(source.req) !== undefined) upload.#fail(brokenBodyError(source.req)!)
      } catch (thrown) {
        upload.close()
        reject(thrown)
      }
    })
    if (refusal !== undefined) throw refusal
    return upload
  }

  /** Fields by name. `file` is the file name. */
  get fields(): JsonObject {
    return this.#fields.value
  }

  /** The form is complete, and the whole file is buffered. */
  get isBuffered(): boolean {
    return this.#isComplete && this.#buffer !== null
  }

  get isRepeatable(): boolean {
    return this.#buffer !== null
  }

  /** The start of the file; empty after it was dropped. */
  get buffered(): Buffer {
    return this.#buffer?.bytes ?? EMPTY
  }

  watch(listener: ArrivalListener): void {
    this.#listener = listener
    listener.onWait('backend')
    if (this.#error !== undefined) listener.onRefused(this.#error)
  }

  /** The next piece of the file after the buffer, which is dropped; null: the form is complete. One call at a time. */
  next(): Promise<Buffer | null> {
    this.#buffer = null
    const piece = this.#waiting.shift()
    if (piece !== undefined) return Promise.resolve(this.#passOn(piece))
    if (this.#isComplete) return Promise.resolve(this.#passOn(null))
    this.#listener?.onWait('client')
    return new Promise(resolve => {
      this.#resolveNext = resolve
      this.#file?.resume()
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stop()
    this.#buffer = this.#resolveNext = this.#listener = null
    this.#waiting = []
    this.#file?.destroy()
    this.#parser.destroy()
  }

  #passOn(piece: Buffer | null): Buffer | null {
    if (piece === null) this.#listener?.onSent()
    else this.#listener?.onWait('backend')
    return piece
  }

  #listen(req: IncomingMessage): () => void {
    const parser = this.#parser
    const onData = (piece: Buffer) => {
      const source = this.#source
      source.bodyBytes += piece.length
      const { limit } = this.#rules
      if (source.bodyBytes > limit) return this.#fail(failure('request_body_too_large', { limit }))
      if (!parser.write(piece)) req.pause()
    }
    const onDrain = () => req.resume()
    const onEnd = () => {
      req.off('close', onClose)
      parser.end()
    }
    const onClose = () => (this.#hasStarted ? this.close() : this.#fail(tooEarly()))
    const offBroken = onBodyBroken(req, () => this.#fail(brokenBodyError(req)!))
    const offAbandoned = onBodyAbandoned(req, () => this.close())
    parser.on('drain', onDrain)
    parser.on('file', (name, file, filename, _encoding, mediaType) =>
      this.#attempt(() => this.#onFile(name, file as unknown as Readable, filename, mediaType)),
    )
    parser.on('field', (name, text, _isNameCut, isCut) => this.#attempt(() => this.#onField(name, text, isCut)))
    parser.on('filesLimit', () => this.#attempt(() => refuse("The form may have one 'file'.", 'file')))
    for (const event of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(event, () => this.#attempt(() => malformed('The form has too many fields.')))
    parser.on('error', () => this.#attempt(() => malformed('The body is no complete multipart/form-data.')))
    parser.on('finish', () => this.#onComplete())
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // `close` follows and handles the error. Without this listener Node throws.
    req.on('error', ignore)
    return () => {
      req.off('data', onData)
      req.off('end', onEnd)
      req.off('close', onClose)
      parser.off('drain', onDrain)
      offBroken()
      offAbandoned()
    }
  }

  #attempt(rule: () => void): void {
    if (this.#isClosed || this.#error !== undefined) return
    try {
      rule()
    } catch (refusal) {
      this.#fail(toGatewayError(refusal))
    }
  }

  #onFile(name: string | undefined, file: Readable, filename: string | undefined, mediaType: string): void {
    // The parser also emits its errors on the file. Without this listener they would end the process.
    file.on('error', ignore)
    if (name !== 'file') refuseField(name)
    this.#fields.add(name, filename ?? '')
    this.filename = filename ?? ''
    this.mediaType = mediaType
    this.#file = file
    file.on('data', (piece: Buffer) => this.#onPiece(file, piece))
  }

  #onField(name: string, text: string, isCut: boolean): void {
    if (name === 'file') refuse("'file' must be a file, with a file name.", name)
    if (isCut) refuse(words`'${quoted(name)}' is longer than ${MAX_FIELD_BYTES} bytes.`, shortened(name))
    this.#fields.add(name, text)
    if (!this.#hasStarted) return
    this.#rules.check(this.#fields.value)
    this.late.push([name, text])
  }

  #onPiece(file: Readable, piece: Buffer): void {
    if (this.#isClosed) return
    if (this.#hasStarted) {
      file.pause()
      this.#waiting.push(piece)
      return this.#answer()
    }
    const buffer = this.#buffer!
    buffer.copy(piece)
    if (buffer.length < this.#rules.bufferBytes) return
    file.pause()
    this.#attempt(() => {
      if (Object.hasOwn(this.fields, 'model')) return this.#start()
      const problem = `There is no 'model' before the first ${this.#rules.bufferBytes} bytes of 'file': send 'model' before 'file'.`
      fail('invalid_json_request', { problem }, { param: 'model', ownParam: true })
    })
  }

  #onComplete(): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#isComplete = true
    this.#start()
    this.#answer()
  }

  #start(): void {
    this.#hasStarted = true
    this.#onStarted(undefined)
  }

  /** Resolves a pending next(), if there is a piece or the form is complete. */
  #answer(): void {
    const resolve = this.#resolveNext
    if (resolve === null || (this.#waiting.length === 0 && !this.#isComplete)) return
    this.#resolveNext = null
    resolve(this.#passOn(this.#waiting.shift() ?? null))
  }

  /** Refuses the form: rejects read(), or notifies the listener. */
  #fail(error: GatewayError): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#error = error
    const listener = this.#listener
    this.close()
    if (!this.#hasStarted) this.#onStarted(error)
    else listener?.onRefused(error)
  }
}

const EMPTY = Buffer.alloc(0)

function refuseField(name = ''): never {
  const details = { param: shortened(name), ownParam: true }
  fail('unsupported_parameter', { parameter: quoted(name), where: '' }, details)
}

function refuse(problem: Words, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}

function malformed(problem: string): never {
  fail('http_400', { problem })
}

function ignore(): void {}
