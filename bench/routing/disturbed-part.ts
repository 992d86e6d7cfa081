/** Engines that differ, clients that disconnect, caches that are lost, and an engine that is away. */
import { faster } from '../../simulator/engine-speed.ts'
import { type NamedGoal, writeGoals } from './named-goals.ts'
import type { Options } from './options.ts'
import { SMALL } from './runs.ts'
import { SCENARIOS, Traffic } from './scenarios.ts'
import { geometricMean, RATIOS, spread } from './spread.ts'
import { cells, write } from './table.ts'
import type { Disturbance } from './virtual.ts'

/** Share of the capacity without a disturbance. */
const LOAD = 0.8
/** A run is long enough for an engine to come back. */
const REQUESTS_FACTOR = 2
/** After the warm-up, in milliseconds. */
const BEGIN_MS = 5000
const AWAY_MS = 30_000
const CANCELLED_SHARE = 0.2
const CANCEL_MS = 2000

interface Kind {
  readonly name: string
  /** Limit of the mean, as a multiple of the oracle's. */
  readonly atMost: number
  /** `from`: the end of the warm-up. */
  of(traffic: Traffic, from: number): Disturbance
}

const fast = (weight: number): Kind => ({
  name: `one engine twice as fast, weight ${weight}`,
  atMost: 1.05,
  of: ({ profile }) => ({ first: { speed: faster(profile.speed, 2), weight } }),
})

const KINDS: readonly Kind[] = [
  fast(1),
  fast(2),
  {
    name: '20 % cancelled',
    atMost: 1.1,
    of: () => ({ cancelledShare: CANCELLED_SHARE, cancelMs: CANCEL_MS }),
  },
  { name: 'caches lost', atMost: 1.1, of: (_, from) => ({ cachesLostAt: from + BEGIN_MS }) },
  {
    name: 'an engine away for 30 s',
    atMost: 1.1,
    of: (_, from) => ({ outage: { engines: 1, from: from + BEGIN_MS, until: from + BEGIN_MS + AWAY_MS } }),
  },
]

export function disturbed(options: Options): void {
  write(`\n## Disturbances, at ${100 * LOAD} % of the capacity without them\n`)
  const heads = ['disturbance', 'workload', 'policy', 'hit %', 'TTFT mean', 'p95', 'mean ÷', 'p95 ÷', 'in time %']
  cells(heads)
  cells(heads.map((_, i) => (i < 3 ? '-' : '-:')))
  const scenarios = SCENARIOS.filter(({ name }) => SMALL.includes(name) && options.workloads.includes(name))
  const loads = scenarios.map(scenario =>
    options.seeds.map(seed => {
      const traffic = new Traffic(scenario, REQUESTS_FACTOR * options.requests, seed)
      return { traffic, rate: LOAD * (options.rate ?? traffic.capacity('oracle')) }
    }),
  )
  const goals = KINDS.map((kind): NamedGoal => {
    const means = loads.flatMap(draws => {
      const runs = (policy: 'oracle' | 'cost') =>
        draws.map(({ traffic, rate }) =>
          traffic.run({ policy, rate, disturbance: kind.of(traffic, traffic.countedFrom(rate)) }),
        )
      const oracles = runs('oracle')
      const compared = runs('cost').map((result, i) => ({ result, oracle: oracles[i]! }))
      for (const policy of ['oracle', 'cost'] as const) {
        const results = policy === 'cost' ? compared.map(({ result }) => result) : oracles
        const of = (value: (one: (typeof results)[number]) => number, digits: number) =>
          spread(results.map(value), digits)
        cells([
          kind.name,
          draws[0]!.traffic.scenario.name,
          policy,
          of(({ hitRate }) => 100 * hitRate, 1),
          of(({ ttft }) => ttft.mean, 1),
          of(({ ttft }) => ttft.p95, 1),
          policy === 'cost' ? spread(compared.map(RATIOS.mean), 2) : '',
          policy === 'cost' ? spread(compared.map(RATIOS.p95), 2) : '',
          of(({ good }) => 100 * good, 0),
        ])
      }
      return compared.map(RATIOS.mean)
    })
    return { name: `${kind.name}: mean ÷`, value: geometricMean(means), atMost: kind.atMost }
  })
  writeGoals(goals)
}
