/** The known name that somebody who wrote `name` most likely meant; undefined when none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = simplify(name)
  let best: string | undefined
  // A third of the letters may be wrong, and at least one.
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = levenshtein(wanted, simplify(candidate))
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `did you mean 'backends'?` with a separator before it, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `: did you mean '${meant}'?`
}

/** drainSeconds, drain-seconds and drain_seconds are one name. Longer names than any of ours are cut. */
function simplify(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase().slice(0, 64)
}

/** How many letters must be added, removed or replaced to make one text of the other. */
export function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
