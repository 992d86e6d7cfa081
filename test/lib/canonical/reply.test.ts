import { expect } from 'chai'
import { FINISH_REASONS, link, newChunk, Transformer } from '../../../lib/canonical/reply.ts'
import { EFFORTS } from '../../../lib/canonical/request.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { chunk, Recorder } from '../../support/canonical.ts'

describe('the canonical form', () => {
  it('starts every chunk empty, and with the same members in the same order', () => {
    const one = newChunk(0)
    const two = newChunk(3)
    expect(Object.keys(one)).deep.equal(Object.keys(two))
    expect({ ...one, choice: 3 }).deep.equal(two)
    const { choice, start, ...others } = one
    expect([choice, start]).deep.equal([0, false])
    expect(Object.values(others).every(value => value === undefined)).equal(true)
  })

  it('knows the efforts from none to the most', () => {
    expect(EFFORTS).deep.equal(['none', 'low', 'medium', 'high', 'xhigh', 'max'])
  })

  it('knows why a choice can have finished: every other reason is a failure', () => {
    expect(FINISH_REASONS).deep.equal(['stop', 'length', 'tool_calls', 'content_filter'])
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

class PassesOn extends Transformer {}

describe('transformer', () => {
  it('passes on what it does not override', () => {
    const last = new Recorder()
    const first = link([new PassesOn()], last)
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
    const first = link([new Appends('b'), new PassesOn(), new Appends('c')], last)
    first.chunk(chunk({ text: 'a' }))
    expect(last.chunks[0]?.text).equal('abc')
  })

  it('need not be there at all', () => {
    const last = new Recorder()
    expect(link([], last)).equal(last)
  })
})
