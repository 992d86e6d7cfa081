import { expect } from 'chai'
import { type Chunk, link, newChunk, Transformer } from '../../../lib/canonical/reply.ts'
import { EFFORTS } from '../../../lib/canonical/request.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { chunk, Recorder } from '../../support/canonical.ts'

describe('the canonical form', () => {
  it('starts every chunk empty, with the same members in the same order', () => {
    const one = newChunk(0)
    const two = newChunk(3)
    expect(Object.keys(one)).deep.equal(Object.keys(two))
    expect({ ...one, choice: 3 }).deep.equal(two)
    const { choice, start, ...others } = one
    expect([choice, start]).deep.equal([0, false])
    expect(Object.values(others).every(value => value === undefined)).equal(true)
  })

  it('lists the efforts from the lowest to the highest', () => {
    expect(EFFORTS).deep.equal(['none', 'low', 'medium', 'high', 'xhigh', 'max'])
  })
})

/** Appends its letter to every text. */
class Appends extends Transformer {
  readonly #letter: string

  constructor(letter: string) {
    super()
    this.#letter = letter
  }

  override chunk(received: Parameters<Transformer['chunk']>[0]): void {
    this.next.chunk({ ...received, text: `${received.text}${this.#letter}` })
  }
}

class PassThrough extends Transformer {}

/** Stops the reply at a text, and goes on sending afterwards. */
class StopsAt extends Transformer {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  override chunk(received: Chunk): void {
    if (received.text === this.#text) this.stop('content_filter')
    this.next.chunk(received)
  }
}

const ONE = { choices: () => 1, onStop() {} }

describe('transformer', () => {
  it('passes on every call that it does not override', () => {
    const last = new Recorder()
    const first = link([new PassThrough()], last, ONE)
    const error = failure('backend_timeout', { model: 'm' })
    first.chunk(chunk({ text: 'a' }))
    first.end()
    first.fail(error)
    expect(last.chunks).deep.equal([{ choice: 0, text: 'a' }])
    expect(last.ended).equal(1)
    expect(last.errors).deep.equal([error])
  })

  it('is linked in the order given', () => {
    const last = new Recorder()
    const first = link([new Appends('b'), new PassThrough(), new Appends('c')], last, ONE)
    first.chunk(chunk({ text: 'a' }))
    expect(last.chunks[0]?.text).equal('abc')
  })

  it('is optional', () => {
    const last = new Recorder()
    expect(link([], last, ONE)).equal(last)
  })

  describe('that stops the reply', () => {
    function stopped(choices: number, ...chunks: readonly Partial<Chunk>[]) {
      const last = new Recorder()
      const reasons: string[] = []
      const first = link([new StopsAt('x'), new PassThrough()], last, {
        choices: () => choices,
        onStop: reason => reasons.push(reason),
      })
      for (const one of chunks) first.chunk(chunk(one))
      first.end()
      first.fail(failure('backend_timeout', { model: 'm' }))
      return { ...last, reasons }
    }

    it('finishes the choice and ends, and nothing follows', () => {
      const { chunks, ended, errors, reasons } = stopped(1, { start: true, text: 'a' }, { text: 'x' }, { text: 'b' })
      expect(chunks).deep.equal([
        { choice: 0, start: true, text: 'a' },
        { choice: 0, finish: 'content_filter' },
      ])
      expect({ ended, errors, reasons }).deep.equal({ ended: 1, errors: [], reasons: ['content_filter'] })
    })

    it('finishes each choice that has not finished, and starts those that have not started', () => {
      const { chunks } = stopped(
        3,
        { choice: 1, start: true, text: 'a' },
        { choice: 2, start: true, finish: 'stop' },
        { choice: 1, text: 'x' },
      )
      expect(chunks.slice(2)).deep.equal([
        { choice: 0, start: true, finish: 'content_filter' },
        { choice: 1, finish: 'content_filter' },
      ])
    })

    it('can stop before the first chunk', () => {
      const { chunks, ended } = stopped(1, { start: true, text: 'x' })
      expect(chunks).deep.equal([{ choice: 0, start: true, finish: 'content_filter' }])
      expect(ended).equal(1)
    })
  })
})
