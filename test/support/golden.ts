/**
 * Golden files for formats: one mocha test per file. For transformers see golden-transformers.ts.
 *
 *   describe('golden files', () => {
 *     goldenStreams(messages, { request: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] } })
 *     goldenRequests(messages, { body: 'messages' })
 *   })
 */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { frame } from '../../lib/base/sse.ts'
import type { Format, FormatOptions, ReplyContext } from '../../lib/canonical/format.ts'
import type { Sink } from '../../lib/canonical/reply.ts'
import { ENGINES, type Engine } from '../../lib/config/profile.ts'
import { type ErrorBody, GatewayError } from '../../lib/errors/errors.ts'
import { bodyValidator } from '../../lib/schemas/body-validator.ts'
import { playReply, requestBody } from './backend-wire.ts'
import { contextOf, OPTIONS } from './encoders.ts'
import { type GoldenFile, goldenFiles, indented, type Section } from './golden-file.ts'

/** Every stream is replayed in pieces of these sizes, in bytes. */
export const SLICES = [Number.POSITIVE_INFINITY, 1, 7, 1024]

export interface GoldenStreamsSetup {
  /** The client's body in files without a section `=== request`. */
  readonly request: JsonObject
  /** Folder under test/golden/streams. Default: the format's name. */
  readonly folder?: string
}

/**
 * test/golden/streams/<folder>/*.sse, sections:
 *   request   the client's body (optional)
 *   options   members of FormatOptions that differ from the default (optional)
 *   backend   the bytes of the backend. Words: `json` (JSON instead of events), `crlf` or `cr` (other line ends),
 *             `bom` (a byte order mark first), `torn` (without the last line feed). `data: [DONE]` is not added
 *   client    the bytes for a streaming client, or status line and body if the first event is an error
 *   reply     the body for a client without streaming, as indented JSON
 * A file has `client`, `reply` or both. UPDATE_GOLDEN=1 adds `client` to a file without either.
 */
export function goldenStreams(format: Format, setup: GoldenStreamsSetup): void {
  for (const file of goldenFiles(`streams/${setup.folder ?? format.name}`, '.sse')) {
    it(`stream: ${file.name}`, () => {
      const options = optionsOf(file)
      const request = format.toCanonical(file.json('request', setup.request), options)
      const head: ReplyContext = { ...contextOf(request, options), errorBody }
      const backend = file.get('backend')
      const played = (client: Client): string => {
        const outputs = SLICES.map(slice => {
          const last = client(format, head)
          playReply(last, { request, bytes: bytesOf(backend), json: backend.words.includes('json'), slice })
          return withoutMadeUpIds(last.text())
        })
        for (const [index, output] of outputs.entries()) {
          expect(output, `in slices of ${SLICES[index]} bytes`).equal(outputs[0])
        }
        return outputs[0] ?? ''
      }
      if (file.has('reply')) file.expect(played(replyClient), 'reply')
      if (file.has('client') || !file.has('reply')) file.expect(played(streamClient), 'client')
    })
  }
}

export interface GoldenRequestsSetup {
  /** Name of the body's schema in the route table. */
  readonly body: string
  /** Folder under test/golden/requests. Default: the format's name. */
  readonly folder?: string
}

/**
 * test/golden/requests/<folder>/*.txt, sections:
 *   client     the client's body
 *   options    members of FormatOptions that differ from the default (optional)
 *   canonical  the canonical request, without undefined members
 *   backend    the body for a backend. The word names its engine: `=== backend sglang`. May be repeated
 *   error      instead of these two: code, status, param and message of the refusal
 * UPDATE_GOLDEN=1 adds `canonical` or `error` to a file with only `client`.
 */
export function goldenRequests(format: Format, setup: GoldenRequestsSetup): void {
  for (const file of goldenFiles(`requests/${setup.folder ?? format.name}`, '.txt')) {
    it(`request: ${file.name}`, () => {
      const body = JSON.parse(file.get('client').text) as JsonObject
      const before = JSON.stringify(body)
      const read = () => {
        bodyValidator(setup.body)(body)
        return format.toCanonical(body, optionsOf(file))
      }
      if (file.has('error')) {
        file.expect(indented(refusal(format, read)), 'error')
      } else {
        // Golden streams show the members that a reply repeats.
        const request = read()
        if (request.kind === 'chat') request.echo = undefined
        file.expect(indented(request), 'canonical')
        for (const section of file.all('backend')) {
          file.expect(indented(requestBody(read(), engineOf(section))), 'backend', section)
        }
      }
      expect(JSON.stringify(body), 'the body the client sent').equal(before)
    })
  }
}

// ---------------------------------------------------------------- clients

interface LastSink extends Sink {
  /** All bytes that were sent to the client. */
  text(): string
}

type Client = (format: Format, head: ReplyContext) => LastSink

/** The status line waits for the first chunk, so an earlier error is an ordinary response. */
function streamClient(format: Format, head: ReplyContext): LastSink {
  let out = ''
  let answered = false
  const encoder = format.encoder(head, (event, data) => {
    out += frame(event, data)
  })
  return {
    chunk(chunk) {
      answered = true
      encoder.chunk(chunk)
    },
    end: () => encoder.end(),
    fail(error) {
      if (answered) encoder.fail(error)
      else out = plainAnswer(format, error)
    },
    text: () => out,
  }
}

function replyClient(format: Format, head: ReplyContext): LastSink {
  const collector = format.collector(head)
  let out = ''
  return {
    chunk: chunk => collector.chunk(chunk),
    end() {
      out = indented(collector.result())
    },
    fail(error) {
      out = plainAnswer(format, error)
    },
    text: () => out,
  }
}

function plainAnswer(format: Format, error: GatewayError): string {
  return `HTTP ${error.status}\n${indented(format.toErrorBody(errorBody(error)))}`
}

// ---------------------------------------------------------------- what every file shares

/** Ids that the decoder generates are random. */
export function withoutMadeUpIds(text: string): string {
  return text.replace(/call_[0-9a-f]{24}/g, 'call_madeup')
}

function errorBody({ type, code, message, details }: GatewayError): ErrorBody {
  return {
    type,
    code,
    message,
    ...(details.param !== undefined && { param: details.param }),
    request_id: 'req_0123456789ab',
    docs_url: `http://gateway.test/docs/errors/${code}`,
    ...details.extra,
  }
}

function refusal(format: Format, read: () => unknown): JsonObject {
  try {
    read()
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    const { code, status, message, details } = thrown
    const param = details.param === undefined || details.ownParam ? details.param : format.toClientParam(details.param)
    return { code, status, param, message, ...details.extra }
  }
  throw new Error('The request was accepted.')
}

function optionsOf(file: GoldenFile): FormatOptions {
  return { ...OPTIONS, ...file.json<Partial<FormatOptions>>('options', {}) }
}

function engineOf({ words }: Section): Engine {
  const engine = ENGINES.find(name => words.includes(name))
  if (engine === undefined) throw new Error(`A section '=== backend' needs one of ${ENGINES.join(', ')}.`)
  return engine
}

/** The bytes of a section `=== backend`, with the line ends that its words set. */
export function bytesOf({ text, words }: Section): Buffer {
  const lineEnd = words.includes('crlf') ? '\r\n' : words.includes('cr') ? '\r' : '\n'
  const whole = words.includes('torn') ? text.replace(/\n$/, '') : text
  return Buffer.from((words.includes('bom') ? '\ufeff' : '') + whole.replaceAll('\n', lineEnd))
}
