/** The known name that somebody who wrote `name` most likely meant; undefined when none is close. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = simplify(name)
  let best: string | undefined
  // A third of the letters may be wrong, and at least one.
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = distanceOf(wanted, simplify(candidate))
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

/** How many letters must be added, removed, replaced or swapped with their neighbour to make one text of the other. */
export function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1))
    }
    before = row
    row = next
  }
  return row[b.length]!
}
