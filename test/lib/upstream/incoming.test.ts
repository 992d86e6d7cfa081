import { expect } from 'chai'
import { Incoming, UnreadableError } from '../../../lib/upstream/incoming.ts'

const EVENTS = 'data: one\n\nevent: error\ndata: two\n\n'

/** The data of events, or the JSON of a reply that is none. */
function read(type: string | undefined, ...texts: readonly string[]) {
  const events: string[] = []
  const incoming = new Incoming(type, (data, name) => void events.push(name === undefined ? data : `${name} ${data}`))
  for (const text of texts) incoming.feed(Buffer.from(text))
  const json = incoming.end()
  return json === undefined ? events : { json }
}

describe('upstream/incoming', () => {
  it('is a stream by its media type, whatever its case', () => {
    for (const type of ['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream'])
      expect(read(type, EVENTS), type).deep.equal(['one', 'error two'])
  })

  it('is a stream where it begins as one, under any other type', () => {
    for (const type of [undefined, '', 'text/plain; charset=utf-8', 'application/json']) {
      for (const start of ['', ': comment\n\n', '\ufeff', '\r\n\n', 'id: 1\nretry: 5\n'])
        expect(read(type, start + EVENTS), `${type} ${JSON.stringify(start)}`).deep.equal(['one', 'error two'])
    }
  })

  it('is JSON otherwise, however it is cut', () => {
    expect(read('application/json', '{"data":', ' 1}')).deep.equal({ json: { data: 1 } })
    expect(read(undefined, ' {"a":', '"data: x"}')).deep.equal({ json: { a: 'data: x' } })
    expect(read('application/json', 'null')).deep.equal({ json: null })
  })

  it('cannot be read where it is neither, ends inside an event or is too large', () => {
    const unreadable = (cause: string, ...args: Parameters<typeof read>) =>
      expect(() => read(...args)).throw(UnreadableError, cause)
    for (const text of ['', '<html>', '{', 'database: x']) unreadable('the reply is not JSON', 'application/json', text)
    unreadable('the stream ended inside an event', 'text/event-stream', 'data: {"a"')
    unreadable('an event is too large', 'text/event-stream', `data: ${'x'.repeat(33 * 1024 * 1024)}`)
    unreadable('the reply is too large', 'application/json', ...new Array<string>(5).fill('x'.repeat(16 * 1024 * 1024)))
  })
})
