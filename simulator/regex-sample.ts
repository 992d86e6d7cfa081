import { ANY, type Pattern, PatternError, sampleText } from './pattern.ts'
import { PatternReader, readAlternatives } from './pattern-reader.ts'
import type { Random } from './random.ts'

/**
 * A text that the whole regular expression matches. Groups, alternatives, classes, quantifiers and anchors are read;
 * look-around and back references throw a PatternError. The expression itself is never executed.
 */
export function sampleRegex(expression: string, random: Random): string {
  const reader = new PatternReader(expression)
  const pattern = readAlternatives(reader, sequence)
  if (!reader.done) throw new PatternError(`Unexpected "${reader.here}" in the regular expression.`)
  return sampleText(pattern, random)
}

function sequence(reader: PatternReader): Pattern {
  const items: Pattern[] = []
  while (!reader.done && reader.here !== '|' && reader.here !== ')') {
    const item = atom(reader)
    if (item === undefined) continue
    items.push(reader.quantified(item))
    reader.skip('?')
  }
  return { kind: 'sequence', items }
}

/** undefined: an anchor, which matches no text. */
function atom(reader: PatternReader): Pattern | undefined {
  const character = reader.next()
  if (character === '^' || character === '$') return undefined
  if (character === '.') return { kind: 'class', characters: ANY }
  if (character === '[') return reader.characterClass()
  if (character === '(') return reader.nested(() => group(reader))
  if (character === '\\') return escapeSequence(reader)
  if ('*+?'.includes(character)) throw new PatternError(`Nothing stands before "${character}".`)
  return { kind: 'text', text: character }
}

function group(reader: PatternReader): Pattern {
  const special = reader.match(/\?(:|P?<[A-Za-z_]\w*>)?/y)
  if (special !== null && special[1] === undefined) throw new PatternError('Look-around and flags cannot be simulated.')
  const inside = readAlternatives(reader, sequence)
  reader.expect(')')
  return inside
}

function escapeSequence(reader: PatternReader): Pattern | undefined {
  if (reader.match(/[bBAZz]/y) !== null) return undefined
  if (reader.match(/[1-9k]/y) !== null) throw new PatternError('Back references cannot be simulated.')
  return { kind: 'class', characters: reader.escaped() }
}
