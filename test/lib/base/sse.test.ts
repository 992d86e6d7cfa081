import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { COMMENT_KEEP_ALIVE, frame, SseDecoder, SseTooLargeError } from '../../../lib/base/sse.ts'
import { expectLinear } from '../../support/cost.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { eventually } from '../../support/gateway.ts'

type Event = readonly [data: string, event: string | undefined]

/** Events of these bytes, cut at the given places. */
function eventsOf(bytes: Buffer, cuts: readonly number[] = []): { events: Event[]; pending: boolean } {
  const events: Event[] = []
  const decoder = new SseDecoder((data, event) => events.push([data, event]))
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    decoder.feed(bytes.subarray(from, cut))
    from = cut
  }
  decoder.end()
  return { events, pending: decoder.pending }
}

function dataOf(text: string): string[] {
  return eventsOf(Buffer.from(text)).events.map(([data]) => data)
}

describe('SseDecoder', () => {
  describe('line ends', () => {
    for (const [name, end] of [
      ['LF', '\n'],
      ['CR', '\r'],
      ['CRLF', '\r\n'],
    ] as const) {
      it(`reads ${name}`, () => {
        expect(dataOf(`data: a${end}${end}data: b${end}data: c${end}${end}`)).eql(['a', 'b\nc'])
      })
    }

    it('reads all three in one stream', () => {
      expect(dataOf('data: a\r\n\ndata: b\r\rdata: c\n\r\ndata: d\r\n\r\n')).eql(['a', 'b', 'c', 'd'])
    })

    it('reads a divided CRLF as one line end', () => {
      const text = Buffer.from('data: a\r\ndata: b\r\n\r\n')
      expect(eventsOf(text, [8]).events).eql([['a\nb', undefined]])
      expect(eventsOf(text, [8, 9]).events).eql([['a\nb', undefined]])
    })

    it('delivers an event as soon as its blank line arrives, also with CR', () => {
      const seen: string[] = []
      const decoder = new SseDecoder(data => seen.push(data))
      decoder.feed(Buffer.from('data: a\r\r'))
      expect(seen).eql(['a'])
      decoder.feed(Buffer.from('\ndata: b\r\r'))
      expect(seen).eql(['a', 'b'])
    })
  })

  describe('fields', () => {
    it('removes one space after the colon, no more', () => {
      expect(dataOf('data:a\n\ndata: b\n\ndata:  c\n\n')).eql(['a', 'b', ' c'])
    })

    it('joins data lines with a line feed', () => {
      expect(dataOf('data: a\ndata:\ndata: b\n\n')).eql(['a\n\nb'])
    })

    it('reads a line without a colon as a field without a value', () => {
      expect(dataOf('data\n\ndata\ndata\n\n')).eql(['', '\n'])
    })

    it('keeps colons in the value', () => {
      expect(dataOf('data: {"a":1}\n\n')).eql(['{"a":1}'])
    })

    it('passes on the name of an event, with that event alone', () => {
      const { events } = eventsOf(
        Buffer.from('event: error\ndata: a\n\ndata: b\n\ndata: c\nevent: late\n\nevent:\ndata: d\n\n'),
      )
      expect(events).eql([
        ['a', 'error'],
        ['b', undefined],
        ['c', 'late'],
        ['d', undefined],
      ])
    })

    it('forgets the name of an event without data', () => {
      expect(eventsOf(Buffer.from('event: ping\n\ndata: a\n\n')).events).eql([['a', undefined]])
    })

    it('skips comments, id, retry and unknown fields', () => {
      expect(dataOf(': hello\n\nid: 1\nretry: 5\nfoo: bar\ndata: a\n: bye\n\n:\n\n')).eql(['a'])
    })

    it('distinguishes fields by their whole name', () => {
      expect(dataOf('dataset: a\n\n data: b\n\nDATA: c\n\n')).eql([])
    })
  })

  describe('bytes', () => {
    it('drops a byte order mark at the start only', () => {
      expect(dataOf('\ufeffdata: a\n\ndata: \ufeffb\n\n')).eql(['a', '\ufeffb'])
    })

    it('drops a divided byte order mark', () => {
      expect(eventsOf(Buffer.from('\ufeffdata: a\n\n'), [1, 2, 3]).events).eql([['a', undefined]])
    })

    it('joins characters that are divided anywhere', () => {
      const bytes = Buffer.from('data: é–🙂\n\n')
      for (let cut = 1; cut < bytes.length; cut++) expect(eventsOf(bytes, [cut]).events).eql([['é–🙂', undefined]])
    })

    it('replaces bytes that are not UTF-8', () => {
      expect(eventsOf(Buffer.from([...Buffer.from('data: a'), 0xff, 10, 10])).events).eql([['a\ufffd', undefined]])
    })

    it('accepts empty reads', () => {
      expect(eventsOf(Buffer.from('data: a\n\n'), [0, 0, 3, 3]).events).eql([['a', undefined]])
    })
  })

  describe('the end', () => {
    it('does not deliver an event without its blank line, and says so', () => {
      expect(eventsOf(Buffer.from('data: a\n\ndata: b\n'))).eql({ events: [['a', undefined]], pending: true })
      expect(eventsOf(Buffer.from('data: a\n\ndata: b'))).eql({ events: [['a', undefined]], pending: true })
      expect(eventsOf(Buffer.from('data: a\n\nevent: error\n'))).eql({ events: [['a', undefined]], pending: true })
    })

    it('has nothing pending after a whole event or a comment', () => {
      expect(eventsOf(Buffer.from('data: a\n\n')).pending).equal(false)
      expect(eventsOf(Buffer.from('data: a\n\n: bye\n')).pending).equal(false)
      expect(eventsOf(Buffer.alloc(0)).pending).equal(false)
    })

    it('reports pending bytes at any time', () => {
      const decoder = new SseDecoder(() => {})
      decoder.feed(Buffer.from('data: a'))
      expect(decoder.pending).equal(true)
      decoder.feed(Buffer.from('\n\n'))
      expect(decoder.pending).equal(false)
    })
  })

  describe('size', () => {
    const limited = () => new SseDecoder(() => {}, { maxEventBytes: 10_000 })
    const feedAll = (decoder: SseDecoder, piece: string, times: number) => {
      for (let i = 0; i < times; i++) decoder.feed(Buffer.from(piece))
    }

    it('refuses a line that never ends', () => {
      expect(() => feedAll(limited(), 'x'.repeat(1000), 11)).throw(SseTooLargeError)
    })

    it('refuses an event that never ends', () => {
      expect(() => feedAll(limited(), `data: ${'x'.repeat(1000)}\n`, 11)).throw(SseTooLargeError)
    })

    it('counts small pieces by the memory that they need', () => {
      expect(() => feedAll(limited(), 'x', 1000)).throw(SseTooLargeError)
      expect(() => feedAll(limited(), 'data\n', 1000)).throw(SseTooLargeError)
    })

    it('does not keep the memory of the read in which an incomplete event arrived', async () => {
      const decoders = Array.from({ length: 200 }, () => new SseDecoder(() => {}))
      const buffers = () => {
        collectGarbage()
        return process.memoryUsage().arrayBuffers
      }
      const before = buffers()
      for (const decoder of decoders) {
        const read = Buffer.alloc(65_536, '\n')
        read.write('data: a', 65_000)
        decoder.feed(read.subarray(0, 65_007))
      }
      // A thread of V8 frees the memory.
      await eventually(() => buffers() - before < 1_000_000, 'less memory')
      expect(decoders.every(decoder => decoder.pending)).equal(true)
    })

    it('limits single events, not streams', () => {
      feedAll(limited(), `data: ${'x'.repeat(8000)}\n\n`, 100)
      feedAll(limited(), ': comment\n', 10_000)
    })

    it('reads a large event in small pieces in linear time', () => {
      const piece = Buffer.alloc(64, 'x')
      const read = (pieces: number) => {
        let length = 0
        const decoder = new SseDecoder(data => {
          length = data.length
        })
        decoder.feed(Buffer.from('data: '))
        for (let i = 0; i < pieces; i++) decoder.feed(piece)
        decoder.feed(Buffer.from('\n\n'))
        expect(length).equal(64 * pieces)
      }
      // Joining at each piece would copy 320 GB for 100,000 of them.
      expectLinear({ make: pieces => pieces, work: read }, 12_500)
    })
  })

  describe('however it is cut', () => {
    const folder = join(import.meta.dirname, '../../golden/streams/chat')
    const fixtures = readdirSync(folder).map(name => readFileSync(join(folder, name)))

    it('reads every golden stream the same, cut at every byte, and at no other byte near it', () => {
      const apart = 100
      for (const bytes of fixtures) {
        // A comparison of texts takes a tenth of the time of a deep comparison.
        const readCut = (cuts: readonly number[]) => JSON.stringify(eventsOf(bytes, cuts))
        const whole = readCut([])
        for (let first = 1; first <= apart; first++) {
          const cuts = Array.from({ length: Math.ceil(bytes.length / apart) }, (_, index) => first + index * apart)
          const within = cuts.filter(cut => cut < bytes.length)
          expect(readCut(within), `cut at ${within}`).equal(whole)
        }
      }
    })

    it('reads any stream the same, cut anywhere', () => {
      const line = fc.constantFrom(
        'data: a',
        'data:b',
        'data',
        'event: x',
        ': c',
        'data: é🙂',
        '',
        '',
        'id: 1',
        '\ufeff',
      )
      const end = fc.constantFrom('\n', '\r', '\r\n')
      const stream = fc.array(fc.tuple(line, end)).map(lines => Buffer.from(lines.flat().join('')))
      fc.assert(
        fc.property(stream, fc.array(fc.nat(200)), (bytes, places) => {
          const cuts = places.filter(place => place < bytes.length).sort((a, b) => a - b)
          expect(eventsOf(bytes, cuts)).eql(eventsOf(bytes))
        }),
        { numRuns: 2000 },
      )
    })

    it('reads any stream as a plain implementation of the standard does', () => {
      const line = fc.constantFrom('data: a', 'data:b', 'data', 'event: x', ': c', '', 'id: 1', 'data:  d', 'event')
      const end = fc.constantFrom('\n', '\r', '\r\n')
      fc.assert(
        fc.property(fc.array(fc.tuple(line, end)), lines => {
          const text = lines.flat().join('')
          expect(eventsOf(Buffer.from(text)).events).eql(plainly(text))
        }),
        { numRuns: 2000 },
      )
    })
  })
})

/** The steps of the standard, one by one. */
function plainly(text: string): Event[] {
  const events: Event[] = []
  let data: string[] = []
  let event = ''
  for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    if (line === '') {
      if (data.length > 0) events.push([data.join('\n'), event === '' ? undefined : event])
      data = []
      event = ''
      continue
    }
    const [field, value = ''] = line.split(/:(.*)/s)
    const plain = value.replace(/^ /, '')
    if (field === 'data') data.push(plain)
    if (field === 'event') event = plain
  }
  return events
}

describe('SSE encoder', () => {
  it('writes an event with and without a name', () => {
    expect(frame(undefined, '{"a":1}')).equal('data: {"a":1}\n\n')
    expect(frame('message_stop', '{}')).equal('event: message_stop\ndata: {}\n\n')
  })

  it('is decoded unchanged, and without keep-alive comments', () => {
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
