import { expect } from 'chai'
import { PatternError } from '../../simulator/pattern.ts'
import { seededRandom } from '../../simulator/random.ts'
import { sampleRegex } from '../../simulator/regex-sample.ts'

const EXPRESSIONS = [
  'yes|no',
  '^[A-Z]{2}-\\d{4}$',
  '(?:red|green|blue)+',
  '(?<year>\\d{4})-(0[1-9]|1[0-2])',
  '[^a-z]{3,5}',
  'a?b*c+d{2,}e{3}',
  '\\w+@\\w+\\.(com|org)',
  '[\\d\\s_-]+',
  '"(\\\\.|[^"\\\\])*"',
  '\\x41\\u00e9\\n',
  '[]a]+',
  'a{,3}x{y',
  '\\bword\\b',
]

describe('simulator/regex-sample', () => {
  for (const expression of EXPRESSIONS) {
    it(`makes texts that match ${expression}`, () => {
      for (let seed = 0; seed < 20; seed++) {
        const text = sampleRegex(expression, seededRandom(seed))
        // JavaScript reads a leading ] and {,3} otherwise than the engines do.
        const script = expression.replace('[]', '[\\]').replace('{,3}', '{0,3}')
        expect(text).match(new RegExp(`^(?:${script})$`, 's'))
      }
    })
  }

  it('refuses what it cannot make', () => {
    for (const wrong of ['(a', 'a)', '*a', '[a', '[z-a]', 'a{5,2}', '(?=a)', '(a)\\1', '\\', 'a{2000}']) {
      expect(() => sampleRegex(wrong, seededRandom(0)), wrong).throw(PatternError)
    }
  })

  it('is bounded in time and size', () => {
    expect(() => sampleRegex('((((){999}){999}){999}){999}', seededRandom(0))).throw(PatternError)
    expect(() => sampleRegex('((a{999}){999}){999}', seededRandom(0))).throw(PatternError)
    expect(() => sampleRegex('('.repeat(10_000), seededRandom(0))).throw(PatternError)
  })
})
