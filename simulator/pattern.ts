import { between, pick, type Random } from './random.ts'

/** A parsed grammar, from which a matching text can be generated. */
export type Pattern =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly characters: readonly string[] }
  | { readonly kind: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly kind: 'either'; readonly items: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly item: Pattern; readonly min: number; readonly max: number }
  | { readonly kind: 'rule'; readonly name: string }

type Rules = ReadonlyMap<string, Pattern>

/** The pattern is invalid, or no text can be generated from it. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

const MAX_LENGTH = 4096
const MAX_STEPS = 50_000
/** Above this depth, sampleText() uses the shortest alternative. */
const HURRY_DEPTH = 24
/** Above this depth, sampleText() throws a PatternError. */
const MAX_DEPTH = 96
/** Maximum number of repetitions above the minimum. */
const MAX_EXTRA = 3

/** A text that matches the pattern. Equal seeds give equal texts. Throws PatternError. */
export function sampleText(pattern: Pattern, random: Random, rules: Rules = new Map()): string {
  let out = ''
  let steps = 0

  const write = (node: Pattern, depth: number): void => {
    if (depth > MAX_DEPTH) throw new PatternError('The pattern never ends.')
    if (out.length > MAX_LENGTH || ++steps > MAX_STEPS) throw new PatternError('The pattern describes too much text.')
    switch (node.kind) {
      case 'text':
        out += node.text
        return
      case 'class':
        out += pick(random, node.characters)
        return
      case 'sequence':
        for (const item of node.items) write(item, depth + 1)
        return
      case 'either':
        write(depth > HURRY_DEPTH ? shortest(node.items) : pick(random, node.items), depth + 1)
        return
      case 'repeat': {
        const max = depth > HURRY_DEPTH ? node.min : Math.min(node.max, node.min + MAX_EXTRA)
        for (let left = between(random, node.min, max); left > 0; left--) write(node.item, depth + 1)
        return
      }
      case 'rule': {
        const rule = rules.get(node.name)
        if (rule === undefined) throw new PatternError(`There is no rule "${node.name}".`)
        write(rule, depth + 1)
      }
    }
  }

  write(pattern, 0)
  return out
}

/** The alternative with the fewest rules, which ends a recursion. */
function shortest(items: readonly Pattern[]): Pattern {
  return items.reduce((best, item) => (references(item) < references(best) ? item : best))
}

function references(node: Pattern): number {
  switch (node.kind) {
    case 'rule':
      return 1
    case 'sequence':
    case 'either':
      return node.items.reduce((sum, item) => sum + references(item), 0)
    case 'repeat':
      return node.min === 0 ? 0 : references(node.item)
    default:
      return 0
  }
}

/** Printable ASCII, which `.` matches. */
export const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))

/** Printable ASCII without these characters, for negated classes. */
export function allBut(characters: readonly string[]): readonly string[] {
  const excluded = new Set(characters)
  const left = PRINTABLE.filter(character => !excluded.has(character))
  if (left.length === 0) throw new PatternError('A class leaves no printable ASCII character.')
  return left
}

/** The characters of a range, at most 256. */
export function range(from: string, to: string): string[] {
  const first = from.codePointAt(0)!
  const last = to.codePointAt(0)!
  if (last < first) throw new PatternError('A range in a class ends before it starts.')
  return Array.from({ length: Math.min(last - first + 1, 256) }, (_, i) => String.fromCodePoint(first + i))
}
