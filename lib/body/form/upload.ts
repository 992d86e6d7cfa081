import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ByteBuffer } from '../../base/byte-buffer.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { fail, failure, type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { quoted, shortened, type Words, words } from '../../text/quoted.ts'
import { type PipedSource, tooEarly } from '../feed.ts'
import { brokenBodyError, onBodyAbandoned, onBodyBroken } from '../interrupted.ts'
import { askForBody } from '../read.ts'
import type { ArrivalListener, ArrivingBody } from './arriving.ts'
import { FormFields, type fieldTypes } from './fields.ts'
import { type FormParser, formParser } from './parser.ts'

/** What is known of a form before its first request: one for each route that takes one. */
export interface FormRules {
  readonly types: ReturnType<typeof fieldTypes>
  /** Refuses an object of fields by its schema, which has `file` and `model`. */
  readonly check: (body: Json) => unknown
  /** Largest body, in bytes. */
  readonly limit: number
  /** Bytes of the file that are held until the fields are known, and for a second attempt. */
  readonly heldBytes: number
}

const MAX_FIELD_BYTES = 16 * 1024
const LIMITS = { files: 1, fields: 32, parts: 34, fieldSize: MAX_FIELD_BYTES, headerPairs: 16, headerSize: 4096 }

/**
 * A form with one file, read while it arrives. Its first bytes are held; where the file goes on, nothing more is read until
 * next() asks for it.
 */
export class Upload implements ArrivingBody {
  filename = ''
  mediaType = ''
  readonly #source: PipedSource
  readonly #rules: FormRules
  readonly #fields: FormFields
  readonly #parser: FormParser
  readonly #stop: () => void
  #file: Readable | null = null
  /** null: a part of the file has been given away that is not held. */
  #held: ByteBuffer | null = new ByteBuffer()
  /** The start of the form is known; until then everything of the file is held. */
  #isKnown = false
  #isComplete = false
  #isClosed = false
  /** Fields behind the file, where it was too long to hold. */
  readonly late: (readonly [name: string, text: string])[] = []
  /** Of the file, not asked for yet. */
  #waiting: Buffer[] = []
  #asked: ((piece: Buffer | null) => void) | null = null
  #listener: ArrivalListener | null = null
  #error: GatewayError | undefined
  #onKnown!: (refusal: GatewayError | undefined) => void

  private constructor(source: PipedSource, rules: FormRules) {
    this.#source = source
    this.#rules = rules
    this.#fields = new FormFields(rules.types)
    this.#parser = formParser(source.headers['content-type'], LIMITS)
    this.#stop = this.#listen(source.req)
  }

  /** Resolves when the form is complete, or more of its file has come than is held. Rejects with the refusal. */
  static async read(source: PipedSource, rules: FormRules): Promise<Upload> {
    if (source.gone || source.req.destroyed) throw tooEarly()
    const upload = new Upload(source, rules)
    const refusal = await new Promise<GatewayError | undefined>((resolve, reject) => {
      upload.#onKnown = resolve
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

  /** Fields by name; `file` is the name of the file. */
  get fields(): JsonObject {
    return this.#fields.value
  }

  /** All of the form has been read, and all of the file is held. */
  get isHeld(): boolean {
    return this.#isComplete && this.#held !== null
  }

  get isRepeatable(): boolean {
    return this.#held !== null
  }

  /** The first bytes of the file; empty once they are given up. */
  get held(): Buffer {
    return this.#held?.bytes ?? EMPTY
  }

  watch(listener: ArrivalListener): void {
    this.#listener = listener
    listener.onWait('backend')
    if (this.#error !== undefined) listener.onRefused(this.#error)
  }

  /** The next piece of the file behind the held ones, which are given up; null: the form is complete. Never two at once. */
  next(): Promise<Buffer | null> {
    this.#held = null
    const piece = this.#waiting.shift()
    if (piece !== undefined) return Promise.resolve(this.#give(piece))
    if (this.#isComplete) return Promise.resolve(this.#give(null))
    this.#listener?.onWait('client')
    return new Promise(resolve => {
      this.#asked = resolve
      this.#file?.resume()
    })
  }

  /** Nothing more is read. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stop()
    this.#held = this.#asked = this.#listener = null
    this.#waiting = []
    this.#file?.destroy()
    this.#parser.destroy()
  }

  #give(piece: Buffer | null): Buffer | null {
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
    // The client disconnected: the exchange ends by itself, and this refusal is not sent.
    const onClose = () => (this.#isKnown ? this.close() : this.#fail(tooEarly()))
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
    // `close` follows; without a listener Node throws.
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
    // The parser emits its errors on the file too. Without a listener that would end the process.
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
    if (!this.#isKnown) return
    this.#rules.check(this.#fields.value)
    this.late.push([name, text])
  }

  #onPiece(file: Readable, piece: Buffer): void {
    if (this.#isClosed) return
    if (this.#isKnown) {
      file.pause()
      this.#waiting.push(piece)
      return this.#answer()
    }
    const held = this.#held!
    held.copy(piece)
    if (held.length < this.#rules.heldBytes) return
    file.pause()
    this.#attempt(() => {
      if (Object.hasOwn(this.fields, 'model')) return this.#known()
      const problem = `There is no 'model' before the first ${this.#rules.heldBytes} bytes of 'file': send 'model' before 'file'.`
      fail('invalid_json_request', { problem }, { param: 'model', ownParam: true })
    })
  }

  #onComplete(): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#isComplete = true
    this.#known()
    this.#answer()
  }

  #known(): void {
    this.#isKnown = true
    this.#onKnown(undefined)
  }

  /** Answers next(), which was called before there was anything. */
  #answer(): void {
    const asked = this.#asked
    const piece = this.#waiting.shift()
    if (asked === null || (piece === undefined && !this.#isComplete)) {
      if (piece !== undefined) this.#waiting.unshift(piece)
      return
    }
    this.#asked = null
    asked(this.#give(piece ?? null))
  }

  /** Refuses the form: to read(), or to who sends it. */
  #fail(error: GatewayError): void {
    if (this.#isClosed || this.#error !== undefined) return
    this.#error = error
    const listener = this.#listener
    this.close()
    if (!this.#isKnown) this.#onKnown(error)
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
