import { expect } from 'chai'
import { link, Transformer } from '../../../lib/canonical/transformer.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { chunk, Recorder } from '../../support/canonical.ts'

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
