import type { Options } from './options.ts'
import { OUTAGE_WINDOWS, runOutage } from './outage.ts'
import { RATES, SMALL } from './runs.ts'
import { cells, write } from './table.ts'

/**
 * Limit of the mean TTFT after the outage, as a ratio to the same run without an outage. If the oracle is slower in its
 * run with an outage, the ratio is to that: everyone must compute the lost caches again.
 */
const MAX_RATIO = 1.1

/** Runs at half the usual rate: the remaining engines can just serve it. */
export function outage(options: Options): void {
  write('\n## Half of the engines are killed, and come back empty after 30 s\n')
  write('Mean TTFT in ms, ÷ the same run without an outage.\n')
  const heads = ['engines', 'workload', 'policy', 'requests', 'lost', ...OUTAGE_WINDOWS, 'goal']
  cells(heads)
  cells(heads.map((_, i) => (i === 1 || i === 2 ? '-' : '-:')))
  for (const engines of options.engines) {
    for (const workload of options.workloads.filter(name => SMALL.includes(name))) {
      const run = { workload, engines, requestsPerSecond: (RATES[workload]! * engines) / 8, seed: options.seed }
      const oracle = runOutage({ ...run, policy: 'oracle' }).windows.at(-1)!.mean
      for (const policy of ['oracle', 'cost', 'least_load'] as const) {
        const { planned, lost, windows } = runOutage({ ...run, policy })
        const means = windows.map(({ mean, undisturbed }) => `${mean.toFixed(1)}, ${(mean / undisturbed).toFixed(2)}`)
        const last = windows.at(-1)!
        const isBack = last.mean <= MAX_RATIO * Math.max(last.undisturbed, oracle)
        cells([engines, workload, policy, planned, lost, ...means, policy !== 'cost' ? '' : isBack ? 'met' : 'missed'])
      }
    }
  }
}
