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

/** The data to draw. Plots of days, and bars, stay as they are. */
export function stepped(data) {
  const { times, shape, zeroIsGap } = data
  const isSampled = shape === 'line' && times.length > 1 && times.at(-1) - times.at(-2) <= STEPS[0] * 2
  let shown = data
  for (const step of isSampled ? STEPS : []) {
    shown = { ...data, ...(step === STEPS[0] ? null : merged(data, step)) }
    if (density(shown) >= DENSE) break
  }
  if (!zeroIsGap) return shown
  const series = shown.series.map(one => ({ ...one, values: one.values.map(value => (value === 0 ? null : value)) }))
  return { ...shown, series }
}
