import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ByteBuffer } from '../../base/byte-buffer.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { fail, failure, type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { quoted, shortened, words } from '../../text/quoted.ts'
import { type PipedSource, tooEarly } from '../feed.ts'
import { askForBody, brokenBodyError, onBodyAbandoned, onBodyBroken } from '../read.ts'
import type { ArrivalListener, ArrivingBody } from '../request-body.ts'
import { FormFields, type fieldTypes, MAX_FILES, maxFiles, refuse, refuseField, refuseFiles } from './fields.ts'
import { type FormParser, formParser } from './parser.ts'
import { FILE_END, fileHead, newBoundary } from './parts.ts'

/** The rules of a route whose body is a form. */
interface FormRules {
  readonly types: ReturnType<typeof fieldTypes>
  /** Validates an object of fields by its schema, which has `model`. Throws the refusal. */
  readonly check: (body: Json) => unknown
  /** Maximum size of the body in bytes. */
  readonly limit: number
  /** Bytes of the files that are buffered, so that the fields are known first and a second attempt is possible. */
  readonly bufferBytes: number
}

const MAX_FIELD_BYTES = 16 * 1024
const LIMITS = { fields: 32, parts: 34 + MAX_FILES, fieldSize: MAX_FIELD_BYTES, headerPairs: 16, headerSize: 4096 }

/**
 * A form with files, whose start is buffered. The rest of longer files is read only by next(). Buffer and pieces have
 * the files as parts of the form that is sent to a backend.
 */
export class Upload implements ArrivingBody {
  readonly boundary = newBoundary()
  readonly #source: PipedSource
  readonly #rules: FormRules
  readonly #fields: FormFields
  readonly #parser: FormParser
  readonly #stop: () => void
  /** The file that is being read. */
  #file: Readable | null = null
  /** Begin files whose heads the parser has read in the same piece as the end of the file before them. */
  readonly #next: (() => void)[] = []
  #hasFile = false
  /** The start of the files; null: dropped. */
  #buffer: ByteBuffer | null = new ByteBuffer()
  /** read() has resolved. Before that, files are buffered. */
  #hasStarted = false
  #isComplete = false
  #isClosed = false
  /** Fields after the buffer was full. */
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
    this.#parser = formParser(source.headers['content-type'], { ...LIMITS, files: maxFiles(rules.types) })
    this.#stop = this.#listen(source.req)
  }

  /** Resolves when the form is complete or the buffer for its files is full. Rejects with the refusal. */
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

  /** Fields by name. The value of a file is its name. */
  get fields(): JsonObject {
    return this.#fields.value
  }

  isFile(name: string): boolean {
    return this.#fields.isFile(name)
  }

  /** The form is complete, and all of its files are buffered. */
  get isBuffered(): boolean {
    return this.#isComplete && this.#buffer !== null
  }

  get isRepeatable(): boolean {
    return this.#buffer !== null
  }

  /** The start of the files; empty after it was dropped. */
  get buffered(): Buffer {
    return this.#buffer?.bytes ?? EMPTY
  }

  watch(listener: ArrivalListener): void {
    this.#listener = listener
    listener.onWait('backend')
    if (this.#error !== undefined) listener.onRefused(this.#error)
  }

  /** The next piece of the files after the buffer, which is dropped; null: the form is complete. One call at a time. */
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
    parser.on('filesLimit', () => this.#attempt(() => refuseFiles(this.#rules.types)))
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

  #onFile(name = '', file: Readable, filename = '', mediaType: string): void {
    // The parser also emits its errors on the file. Without this listener they would end the process.
    file.on('error', ignore)
    if (!this.#fields.isFile(name)) refuseField(name)
    this.#fields.add(name, filename)
    if (this.#hasStarted) this.#rules.check(this.fields)
    const begin = () => {
      const end = this.#hasFile ? FILE_END : ''
      this.#hasFile = true
      this.#file = file
      file.on('end', () => {
        this.#file = null
        this.#next.shift()?.()
      })
      this.#take(Buffer.from(`${end}${fileHead(this.boundary, { name, filename, mediaType })}`))
      file.on('data', (piece: Buffer) => this.#onPiece(name, file, piece))
    }
    if (this.#file === null) begin()
    else this.#next.push(begin)
  }

  #onField(name: string, text: string, isCut: boolean): void {
    if (this.#fields.isFile(name)) refuse(words`'${name}' must be a file, with a file name.`, name)
    if (isCut) refuse(words`'${quoted(name)}' is longer than ${MAX_FIELD_BYTES} bytes.`, shortened(name))
    this.#fields.add(name, text)
    if (!this.#hasStarted) return
    this.#rules.check(this.#fields.value)
    this.late.push([name, text])
  }

  #take(piece: Buffer): void {
    if (this.#isClosed) return
    if (!this.#hasStarted) return this.#buffer!.copy(piece)
    this.#waiting.push(piece)
    this.#answer()
  }

  #onPiece(name: string, file: Readable, piece: Buffer): void {
    if (this.#hasStarted) file.pause()
    this.#take(piece)
    if (this.#isClosed || this.#hasStarted || this.#buffer!.length < this.#rules.bufferBytes) return
    file.pause()
    this.#attempt(() => {
      if (Object.hasOwn(this.fields, 'model')) return this.#start()
      const problem = `There is no 'model' before the first ${this.#rules.bufferBytes} bytes of '${name}': send 'model' before '${name}'.`
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

function malformed(problem: string): never {
  fail('http_400', { problem })
}

function ignore(): void {}
