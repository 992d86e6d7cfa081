import { type Pattern, PatternError, PRINTABLE, sampleText } from './pattern.ts'
import { PatternReader, readAlternatives } from './pattern-reader.ts'
import type { Random } from './random.ts'

const NAME = /[A-Za-z_][\w-]*/y
const RULE_START = /[A-Za-z_][\w-]*\s*::=\s*/y
/** White space and comments. */
const BLANK = /(?:\s|#[^\n]*)*/y

/**
 * A text that matches the rule `root` of a grammar in llama.cpp's notation (GBNF), which XGrammar also uses. Throws
 * PatternError.
 */
export function sampleGrammar(grammar: string, random: Random): string {
  const reader = new PatternReader(grammar)
  const rules = new Map<string, Pattern>()
  reader.match(BLANK)
  while (!reader.isDone) {
    const name = reader.match(NAME)?.[0]
    reader.match(BLANK)
    if (name === undefined || !reader.skip('::=')) throw new PatternError('Expected a rule: name ::= …')
    rules.set(name, readAlternatives(reader, sequence))
  }
  return sampleText({ kind: 'rule', name: 'root' }, random, rules)
}

function sequence(reader: PatternReader): Pattern {
  const items: Pattern[] = []
  reader.match(BLANK)
  while (!reader.isDone && reader.here !== '|' && reader.here !== ')' && !atRule(reader)) {
    items.push(reader.quantified(atom(reader)))
    reader.match(BLANK)
  }
  return { kind: 'sequence', items }
}

/** True at the start of the next rule, which ends the current one. */
function atRule(reader: PatternReader): boolean {
  const start = reader.at
  const found = reader.match(RULE_START) !== null
  reader.at = start
  return found
}

function atom(reader: PatternReader): Pattern {
  if (reader.skip('"')) return literal(reader)
  if (reader.skip('[')) return reader.characterClass()
  if (reader.skip('.')) return { kind: 'class', characters: PRINTABLE }
  if (reader.skip('(')) {
    return reader.nested(() => {
      const inside = readAlternatives(reader, sequence)
      reader.expect(')')
      return inside
    })
  }
  const name = reader.match(NAME)?.[0]
  if (name === undefined) throw new PatternError(`Unexpected "${reader.here}" in the grammar.`)
  return { kind: 'rule', name }
}

function literal(reader: PatternReader): Pattern {
  let text = ''
  while (!reader.skip('"')) text += reader.skip('\\') ? reader.escaped() : reader.next()
  return { kind: 'text', text }
}
