import type { IncomingHttpHeaders } from 'node:http'
import { expect } from 'chai'
import type { Chunk, Sink } from '../../../../lib/canonical/reply.ts'
import type { Outlet } from '../../../../lib/engines/replies/outlet.ts'
import { PipeStream } from '../../../../lib/engines/replies/pipe-stream.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { notedExchange } from '../../../support/exchange.ts'

function scene(fault?: 'open' | 'chunk' | 'swallow', mediaType = 'application/json', more: IncomingHttpHeaders = {}) {
  const steps: unknown[] = []
  const chunks: Chunk[] = []
  const outlet: Outlet & { ended: boolean } = {
    isStream: false,
    committed: false,
    ended: false,
    waiting: 0,
    open(mediaType?: string, length?: number): Sink {
      if (fault === 'open') throw new Error('no')
      steps.push(['open', mediaType, ...(length === undefined ? [] : [length])])
      return {
        chunk(chunk) {
          if (fault === 'chunk') throw new Error('no')
          chunks.push(chunk)
        },
        end: () => {
          outlet.ended = fault !== 'swallow'
        },
        fail: () => void steps.push('fail'),
      }
    },
    bytes: (chunk: Buffer) => void steps.push(chunk.toString()),
    flush: () => true,
    comment() {},
    fail: () => void steps.push('outlet failed'),
  }
  const { exchange } = notedExchange()
  const context = { model: model(), profile: backendConfig().profile, models: () => [] }
  return {
    stream: new PipeStream({ exchange, outlet, context, headers: { 'content-type': mediaType, ...more } }),
    steps,
    chunks,
  }
}

describe('pipe/pipe-stream', () => {
  it('begins the reply with the first byte, and passes bytes on', () => {
    const { stream, steps } = scene()
    expect(stream.hasBegun).equal(false)
    expect(stream.feed(Buffer.from('a'))).equal(undefined)
    expect(stream.feed(Buffer.from('b'))).equal(undefined)
    expect(steps).deep.equal([['open', 'application/json'], 'a', 'b'])
    expect([stream.hasBegun, stream.isComplete]).deep.equal([true, false])
  })

  it('begins it with the length of the backend, if the bytes are passed on unchanged', () => {
    const opened = (headers: IncomingHttpHeaders) => {
      const { stream, steps } = scene(undefined, 'application/json', headers)
      stream.feed(Buffer.from('a'))
      return steps[0]
    }
    expect(opened({ 'content-length': '12' })).deep.equal(['open', 'application/json', 12])
    expect(opened({ 'content-length': '12', 'content-encoding': 'gzip' })).deep.equal(['open', 'application/json'])
  })

  it('sends transformers the usage in one chunk at the end', () => {
    const { stream, chunks } = scene()
    stream.feed(Buffer.from('{"usage":{"prompt_tokens":3,"total_tokens":3}}'))
    expect(stream.end()).equal(undefined)
    expect(stream.isComplete).equal(true)
    expect(stream.finish()).equal(undefined)
    expect(chunks.map(({ choice, usage }) => [choice, usage?.promptTokens])).deep.equal([[-1, 3]])
  })

  it('reads no usage from a plain text', () => {
    for (const [type, count] of [
      ['text/plain', 0],
      ['text/vtt', 0],
      ['text/event-stream', 1],
    ] as const) {
      const { stream, chunks } = scene(undefined, type)
      stream.feed(Buffer.from('"usage":{"prompt_tokens":3,"total_tokens":3}'))
      stream.finish()
      expect(chunks, type).length(count)
    }
  })

  it('reports a usage that is invalid, and sends no chunk without usage', () => {
    const wrong = scene()
    wrong.stream.feed(Buffer.from('{"usage":{}}'))
    wrong.stream.finish()
    expect(wrong.chunks[0]!.usageError).match(/^usage/)
    const none = scene()
    none.stream.feed(Buffer.from('text'))
    expect([none.stream.finish(), none.chunks.length]).deep.equal([undefined, 0])
  })

  it('counts an empty reply as a failure of the backend', () => {
    expect(scene().stream.end()).deep.include({ retry: 'no', penalise: true })
  })

  it('returns failures of transformers, which do not count against the backend', () => {
    const opening = scene('open')
    expect(opening.stream.feed(Buffer.from('a'))).include({ penalise: false })
    for (const fault of ['chunk', 'swallow'] as const) {
      const { stream } = scene(fault)
      stream.feed(Buffer.from('{"usage":{"prompt_tokens":3}}'))
      expect(stream.finish(), fault).include({ penalise: false })
    }
  })

  it('fails the reply through the transformers, or the outlet directly if they do not pass the failure on', () => {
    const { stream, steps } = scene()
    stream.feed(Buffer.from('a'))
    stream.fail(failure('shutting_down', {}))
    expect(steps.slice(2)).deep.equal(['fail', 'outlet failed'])
  })
})
