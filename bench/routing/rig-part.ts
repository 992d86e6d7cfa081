/** The rates that each policy carries on four engines as measured on a GPU. */
import { VIRTUAL_POLICIES } from './loads-part.ts'
import { type NamedGoal, writeGoals } from './named-goals.ts'
import type { Options } from './options.ts'
import type { Policy } from './policies/index.ts'
import { RIG, SCENARIOS, Traffic } from './scenarios.ts'
import { meanOf, RATIOS, spread } from './spread.ts'
import { cells, write } from './table.ts'

const MIN_RATE = 0.95
const MAX_COMPUTED = 1.05

export function rig(options: Options): void {
  write('\n## Four engines as measured on a GPU\n')
  write('Requests/s with 95 % of the first tokens within 1 s and 150 ms a token.')
  write("The other columns are at the oracle's rate; ÷: of the oracle.\n")
  const heads = ['workload', 'policy', 'requests/s', 'rate ÷', 'hit %', 'TTFT mean', 'p95', 'mean ÷', 'computed ÷']
  const tail = ['predicted ÷', 'moved %', 'in time %']
  cells([...heads, ...tail])
  cells([...heads, ...tail].map((_, i) => (i < 2 ? '-' : '-:')))
  const goals: NamedGoal[] = []
  for (const scenario of SCENARIOS.filter(({ name }) => RIG.includes(name) && options.workloads.includes(name))) {
    const traffics = options.seeds.map(seed => new Traffic(scenario, options.requests, seed))
    const capacities = traffics.map(traffic => traffic.capacity('oracle'))
    const oracles = traffics.map((traffic, i) => traffic.run({ policy: 'oracle', rate: capacities[i]! }))
    const policies: readonly Policy[] = options.policies ?? VIRTUAL_POLICIES
    for (const policy of ['oracle' as const, ...policies.filter(name => name !== 'oracle')]) {
      const rates = traffics.map((traffic, i) => (policy === 'oracle' ? capacities[i]! : traffic.capacity(policy)))
      const ratios = rates.map((rate, i) => rate / capacities[i]!)
      const compared = traffics.map((traffic, i) => {
        const oracle = oracles[i]!
        const result = policy === 'oracle' ? oracle : traffic.run({ policy, rate: capacities[i]! })
        return { result, oracle }
      })
      const of = (value: (one: (typeof compared)[number]) => number, digits: number) =>
        spread(compared.map(value), digits)
      const computed = compared.map(RATIOS.computed)
      const isPredicted = compared.every(({ result }) => result.predicted !== undefined)
      cells([
        scenario.name,
        policy,
        spread(rates, 1),
        spread(ratios, 2),
        of(({ result }) => 100 * result.hitRate, 1),
        of(({ result }) => result.ttft.mean, 0),
        of(({ result }) => result.ttft.p95, 0),
        of(RATIOS.mean, 2),
        spread(computed, 2),
        isPredicted ? of(({ result }) => result.predicted!, 2) : '',
        of(({ result }) => 100 * result.moved, 1),
        of(({ result }) => 100 * result.good, 0),
      ])
      if (policy !== 'cost') continue
      goals.push(
        { name: `${scenario.name}: rate ÷`, value: meanOf(ratios), atLeast: MIN_RATE },
        { name: `${scenario.name}: tokens computed ÷`, value: meanOf(computed), atMost: MAX_COMPUTED },
      )
    }
  }
  writeGoals(goals)
}
