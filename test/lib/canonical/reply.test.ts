import { expect } from 'chai'
import { link, newChunk, Transformer } from '../../../lib/canonical/reply.ts'
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

describe('transformer', () => {
  it('passes on every call that it does not override', () => {
    const last = new Recorder()
    const first = link([new PassThrough()], last)
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
    const first = link([new Appends('b'), new PassThrough(), new Appends('c')], last)
    first.chunk(chunk({ text: 'a' }))
    expect(last.chunks[0]?.text).equal('abc')
  })

  it('is optional', () => {
    const last = new Recorder()
    expect(link([], last)).equal(last)
  })
})
