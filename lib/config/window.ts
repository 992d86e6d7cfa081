const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a window such as `30m`, `1h` or `7d`; undefined when the text is no window or longer than 366 days. */
export function windowMilliseconds(window: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(window) ?? []
  if (count === undefined || unit === undefined) return undefined
  const milliseconds = Number(count) * UNITS[unit]!
  return milliseconds <= 366 * 86_400_000 ? milliseconds : undefined
}
