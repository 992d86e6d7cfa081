import { expect } from 'chai'
import { sampleGrammar } from '../../simulator/grammar-sample.ts'
import { PatternError } from '../../simulator/pattern.ts'
import { seededRandom } from '../../simulator/random.ts'

function samples(grammar: string): string[] {
  return Array.from({ length: 20 }, (_, seed) => sampleGrammar(grammar, seededRandom(seed)))
}

describe('simulator/grammar-sample', () => {
  it('follows literals, classes, alternatives, groups and quantifiers', () => {
    const grammar = 'root ::= ("yes" | "no") " " [a-c]{2} "\\x21"?'
    for (const text of samples(grammar)) expect(text).match(/^(yes|no) [a-c]{2}!?$/)
  })

  it('follows rules over several lines, with comments between them', () => {
    const grammar = `# a list
      root ::= "[" item ("," item)* "]"
      item ::= digit+ | # or a word
        word
      digit ::= [0-9]
      word ::= "é" | "🌊"`
    for (const text of samples(grammar)) expect(text).match(/^\[(\d+|é|🌊)(,(\d+|é|🌊))*\]$/u)
  })

  it('ends recursive rules', () => {
    for (const text of samples('root ::= "(" root ")" | "x"')) expect(text).match(/^\(*x\)*$/)
    for (const text of samples('root ::= term "+" root | term\nterm ::= "1" | "(" root ")"')) expect(text).match(/1/)
  })

  it('refuses invalid grammars', () => {
    const wrong = ['', 'other ::= "a"', 'root ::= missing', 'root ::= "a', 'root ::= root', 'root = "a"', 'root ::= )']
    for (const grammar of wrong) expect(() => sampleGrammar(grammar, seededRandom(0)), grammar).throw(PatternError)
  })
})
