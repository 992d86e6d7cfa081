import { distance } from 'fastest-levenshtein'

/** Longer names are cut before they are compared. No name of the gateway is longer. */
const MAX_COMPARED_CHARACTERS = 64

/** The known name that is most similar to `name`: at most a third of the letters differ, or one of a short name. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = simplify(name)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const differing = differences(wanted, simplify(candidate))
    if (differing < least) {
      least = differing
      best = candidate
    }
  }
  return best
}

/** `: did you mean 'backends'?`, or an empty text if no known name is similar. */
export function suggestion(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `: did you mean '${meant}'?`
}

/** Maximum number of names in a message. */
const MAX_NAMES = 10

/** Completes `there is no plan 'x'`: the most similar name, else the known names; empty if there are none. */
export function instead(name: string, known: readonly string[]): string {
  if (known.length === 0) return ''
  const names = known.slice(0, MAX_NAMES).map(one => `'${one}'`)
  const more = known.length > names.length ? ` and ${known.length - names.length} more` : ''
  return suggestion(name, known) || `: there ${known.length === 1 ? 'is' : 'are'} ${names.join(', ')}${more}`
}

/** drainSeconds, drain-seconds and drain_seconds are one name. */
function simplify(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase().slice(0, MAX_COMPARED_CHARACTERS)
}

/** Letters to add, remove or replace. Two swapped neighbours, the most frequent typing error, count as one. */
function differences(a: string, b: string): number {
  const counted = distance(a, b)
  return counted === 2 && isSwapped(a, b) ? 1 : counted
}

function isSwapped(a: string, b: string): boolean {
  const first = [...a].findIndex((letter, i) => letter !== b[i])
  return a.length === b.length && a === b.slice(0, first) + b[first + 1] + b[first] + b.slice(first + 2)
}
