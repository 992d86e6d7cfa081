import { expect } from 'chai'
import { compose, echoOf } from '../../simulator/answer.ts'
import { seededRandom } from '../../simulator/random.ts'
import { countTokens } from '../../simulator/tokens.ts'

const LENGTHS = [0, 1, 2, 3, 7, 48, 500, 8191, 8192, 20_000]

describe('simulator/answer', () => {
  it('has exactly the requested number of tokens, in parts and joined', () => {
    for (const length of LENGTHS) {
      for (const beginning of ['', 'You wrote “Hello”.']) {
        const parts = compose(beginning, length, seededRandom(length))
        expect(countTokens(parts.join('')), `${length} joined`).equal(length)
        expect(
          parts.reduce((sum, part) => sum + countTokens(part), 0),
          `${length} in parts`,
        ).equal(length)
      }
    }
  })

  it('depends only on the seed', () => {
    const text = (seed: number) => compose('', 60, seededRandom(seed)).join('')
    expect(text(1)).equal(text(1)).not.equal(text(2))
  })

  it('has characters of every size in UTF-8 and ends like a sentence', () => {
    const text = compose('', 4000, seededRandom(3)).join('')
    expect(text).match(/é/).match(/東/).match(/🌊/).match(/\n\n/)
    expect(text).match(/[.!?✅]$/u)
  })

  it('quotes the start of the question', () => {
    expect(echoOf('  Hello\nthere ')).equal('You wrote “Hello there”.')
    expect(echoOf('w '.repeat(13))).equal(`You wrote “${'w '.repeat(12)}…”.`)
    expect(echoOf(' ')).equal('')
  })
})
