/** All policies at shares of the capacity: the highest rate at which the oracle serves 95 % within the objective. */
import { writeGoals } from './named-goals.ts'
import type { Options } from './options.ts'
import type { Policy } from './policies/index.ts'
import { LOADED, PEERS, SCENARIOS, Traffic } from './scenarios.ts'
import { type Compared, geometricMean, meanOf, RATIOS, spread } from './spread.ts'
import { cells, write } from './table.ts'

export const VIRTUAL_POLICIES: readonly Policy[] = ['cost', 'session', 'least_load', 'llm-d', 'dynamo']
/** Its few full engines decide the result: the mean is 0.8 to 10 times the oracle's, by draw. */
const WITHOUT_GOAL = 'long-answers'
/** Limits of the geometric mean over the workloads, by load in percent. */
const MAX_MEAN: Readonly<Record<number, number>> = { 80: 1.1, 95: 1.15 }
const MAX_WORST = 1.6

interface Cell extends Compared {
  readonly workload: string
  readonly load: number
  readonly policy: Policy
  readonly rate: number
}

export function loads(options: Options): void {
  write('\n## Shares of the capacity\n')
  write('÷: of the oracle. Capacity: the highest rate at which the oracle serves 95 % within the objective.\n')
  const heads = ['workload', 'load %', 'requests/s', 'policy', 'hit %', 'TTFT mean', 'p50', 'p95', 'p99', 'mean ÷']
  const tail = ['p95 ÷', 'token p99', 'token p99 ÷', 'computed ÷', 'predicted ÷', 'moved %', 'imbalance', 'in time %']
  cells([...heads, ...tail])
  cells([...heads, ...tail].map((_, i) => (i === 0 || i === 3 ? '-' : '-:')))
  const policies = ['oracle' as const, ...(options.policies ?? VIRTUAL_POLICIES).filter(name => name !== 'oracle')]
  const all: Cell[] = []
  for (const scenario of SCENARIOS.filter(({ name }) => LOADED.includes(name) && options.workloads.includes(name))) {
    const traffics = options.seeds.map(seed => new Traffic(scenario, options.requests, seed))
    const capacities = traffics.map(traffic => options.rate ?? traffic.capacity('oracle'))
    for (const load of options.loads) {
      const rates = capacities.map(capacity => (capacity * load) / 100)
      const oracles = traffics.map((traffic, i) => traffic.run({ policy: 'oracle', rate: rates[i]! }))
      for (const policy of policies) {
        const rows = traffics.map((traffic, i): Cell => {
          const oracle = oracles[i]!
          const rate = rates[i]!
          const result = policy === 'oracle' ? oracle : traffic.run({ policy, rate })
          return { workload: scenario.name, load, policy, rate, result, oracle }
        })
        writeCells(rows)
        all.push(...rows)
      }
    }
  }
  writeSummary(all, options, policies)
}

/** The rows of one policy, of all draws. */
function writeCells(rows: readonly Cell[]): void {
  const { workload, load, policy } = rows[0]!
  const of = (value: (cell: Cell) => number, digits: number) => spread(rows.map(value), digits)
  const predicted = rows.flatMap(({ result }) => (result.predicted === undefined ? [] : [result.predicted]))
  cells([
    workload,
    load,
    of(({ rate }) => rate, 1),
    policy,
    of(({ result }) => 100 * result.hitRate, 1),
    ...(['mean', 'p50', 'p95', 'p99'] as const).map(name => of(({ result }) => result.ttft[name], 0)),
    of(RATIOS.mean, 2),
    of(RATIOS.p95, 2),
    of(({ result }) => result.tpotP99, 1),
    of(RATIOS.token, 2),
    of(RATIOS.computed, 2),
    predicted.length === 0 ? '' : spread(predicted, 2),
    of(({ result }) => 100 * result.moved, 1),
    of(({ result }) => result.imbalance, 2),
    of(({ result }) => 100 * result.good, 0),
  ])
}

function writeSummary(all: readonly Cell[], { loads, workloads }: Options, policies: readonly Policy[]): void {
  write('\nGeometric means over the workloads: mean, p95, token p99 ÷ the oracle; in time.\n')
  const groups = [
    ['own workloads', (name: string) => !PEERS.includes(name)],
    ["peers' workloads", (name: string) => PEERS.includes(name)],
  ] as const
  cells(['workloads', 'load %', ...policies])
  cells(['-', '-:', ...policies.map(() => '-:')])
  for (const [group, belongs] of groups) {
    if (!workloads.some(name => LOADED.includes(name) && belongs(name))) continue
    for (const load of loads) {
      const texts = policies.map(policy => {
        const some = all.filter(cell => cell.load === load && cell.policy === policy && belongs(cell.workload))
        const ratios = [RATIOS.mean, RATIOS.p95, RATIOS.token].map(of => geometricMean(some.map(of)).toFixed(2))
        return `${ratios.join(', ')}; ${(100 * meanOf(some.map(({ result }) => result.good))).toFixed(0)} %`
      })
      cells([group, load, ...texts])
    }
  }
  writeGoals(
    loads.flatMap(load => {
      const some = all.filter(cell => cell.load === load && cell.policy === 'cost' && cell.workload !== WITHOUT_GOAL)
      const max = MAX_MEAN[load]
      if (max === undefined || some.length === 0) return []
      const byWorkload = Map.groupBy(some, ({ workload }) => workload)
      const means = Array.from(byWorkload.values(), cells => geometricMean(cells.map(RATIOS.mean)))
      return [
        {
          name: `load ${load} %: mean ÷, geometric mean of ${means.length} workloads`,
          value: geometricMean(means),
          atMost: max,
        },
        { name: `load ${load} %: mean ÷, of the worst workload`, value: Math.max(...means), atMost: MAX_WORST },
      ]
    }),
  )
}
