/** Plays canonical chunks through a format's encoders, and their output to official SDKs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../lib/base/json.ts'
import type { Format, FormatOptions, ReplyContext } from '../../lib/canonical/format.ts'
import { type Chunk, newChunk, type Sink } from '../../lib/canonical/reply.ts'
import type { CanonicalRequest } from '../../lib/canonical/request.ts'
import type { ErrorBody, GatewayError } from '../../lib/errors/errors.ts'

export const OPTIONS: FormatOptions = {
  chat: { usage_chunks: 'every' },
  messages: { adaptive_thinking: false, tool_images_without_vision: 'refuse', input_tokens: 'total' },
  responses: { unknown_tools: 'reject', sequence_number: false, untyped_items: 'refuse' },
  tools: { empty_parameters: 'refuse' },
  reasoning: { other_efforts: 'refuse' },
  errors: { used_up: 429 },
  clamp_max_tokens: ['messages'],
}

export const REPLY_ID = '0123456789abcdef0123456789abcdef'

export function contextOf(request: CanonicalRequest, options: FormatOptions = OPTIONS): ReplyContext {
  const echo = (request.kind === 'chat' ? request.echo : undefined) ?? {}
  const clock = { now: () => 1_750_000_001_000 }
  return { id: REPLY_ID, created: 1_750_000_000, model: 'model-1', request, options, echo, clock, errorBody }
}

export function errorBody(error: GatewayError): ErrorBody {
  const { code, type, message } = error
  return { type, code, message, request_id: 'req_0123456789ab', docs_url: `https://docs.test/${code}` }
}

/** A chunk of choice 0 with these members. */
export function chunkOf(members: Partial<Chunk>): Chunk {
  return { ...newChunk(0), ...members }
}

export interface Frame {
  readonly event: string | undefined
  readonly data: string
}

/** The events that the format's encoder writes while `play` feeds it. */
export function framesOf(format: Format, head: ReplyContext, play: (sink: Sink) => void): Frame[] {
  const frames: Frame[] = []
  play(format.encoder(head, (event, data) => frames.push({ event, data: data })))
  return frames
}

/** The data of frames as objects. */
export function dataOf(frames: readonly Frame[]): JsonObject[] {
  return frames.map(frame => JSON.parse(frame.data) as JsonObject)
}

export function feed(sink: Sink, chunks: readonly Partial<Chunk>[]): void {
  for (const members of chunks) sink.chunk(chunkOf(members))
}

/** Answers every request with these frames as an event stream, or with this JSON body, while `use` runs. */
export async function replay<T>(
  answer: readonly Frame[] | JsonObject,
  use: (baseURL: string) => Promise<T>,
): Promise<T> {
  const stream = Array.isArray(answer)
  const body = stream ? answer.map(sse).join('') : JSON.stringify(answer)
  const server = createServer((req, res) => {
    req.resume()
    res.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
}

function sse({ event, data }: Frame): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}
