const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A number of seconds for people, in the largest unit of which there are two: `119 s`, `2 min`, `47 h`, `2 d`. */
export function ageText(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`
  return seconds < 2 * DAY ? `${Math.round(seconds / HOUR)} h` : `${Math.round(seconds / DAY)} d`
}
