// Merges the samples of a plot into longer steps if few of them have a value, and turns zeros into gaps.

/** Seconds. Samples are at most as far apart as the first step. */
const STEPS = [5, 15, 60]
/** The share of samples with a value from which a step is long enough. */
const DENSE = 0.8

const isValue = value => value !== null && value !== undefined && value !== 0

const MERGES = {
  mean: values => values.reduce((sum, value) => sum + value, 0) / values.length,
  max: values => Math.max(...values),
}

function merged({ times, series }, step) {
  const groups = Map.groupBy(times.keys(), at => Math.floor(times[at] / step))
  return {
    times: Array.from(groups.values(), ats => times[ats[0]]),
    series: series.map(one => ({
      ...one,
      values: Array.from(groups.values(), ats => {
        const known = ats.map(at => one.values[at]).filter(value => value !== null && value !== undefined)
        return known.length === 0 ? null : MERGES[one.merge ?? 'mean'](known)
      }),
    })),
  }
}

function density({ times, series }) {
  const filled = times.filter((_, at) => series.some(({ values }) => isValue(values[at])))
  return times.length === 0 ? 1 : filled.length / times.length
}

/**
 * The times that a plot shows. A point has the time of the begin of its step, so the last step ends after all points:
 * marks may be there. `low` and `high`: the first and last chosen point.
 */
export function spanOf(times, low, high) {
  const [before, last] = times.slice(-2)
  return high === last ? [low, 2 * last - before] : [low, high]
}

/** The data to draw. Only samples are merged. A bar of height zero is a line, so zero is a gap in bars, too. */
export function stepped(data) {
  const { times, shape, zeroIsGap } = data
  const isSampled = shape === 'line' && times.length > 1 && times.at(-1) - times.at(-2) <= STEPS[0] * 2
  let shown = data
  for (const step of isSampled ? STEPS : []) {
    shown = { ...data, ...(step === STEPS[0] ? null : merged(data, step)) }
    if (density(shown) >= DENSE) break
  }
  if (!zeroIsGap && shape !== 'bars') return shown
  const series = shown.series.map(one => ({ ...one, values: one.values.map(value => (value === 0 ? null : value)) }))
  return { ...shown, series }
}
