import { expect } from 'chai'
import { SseDecoder } from '../../../lib/sse/decoder.ts'
import { COMMENT_KEEP_ALIVE, frame } from '../../../lib/sse/encoder.ts'

describe('SSE encoder', () => {
  it('writes an event with and without a name', () => {
    expect(frame(undefined, '{"a":1}')).equal('data: {"a":1}\n\n')
    expect(frame('message_stop', '{}')).equal('event: message_stop\ndata: {}\n\n')
  })

  it('is read back as it was, and keep-alives as nothing', () => {
    const events: unknown[] = []
    const decoder = new SseDecoder((data, event) => events.push([data, event]))
    decoder.feed(Buffer.from(frame('a', 'b') + COMMENT_KEEP_ALIVE + frame(undefined, '[DONE]') + COMMENT_KEEP_ALIVE))
    expect(events).eql([
      ['b', 'a'],
      ['[DONE]', undefined],
    ])
    expect(decoder.pending).equal(false)
  })
})
