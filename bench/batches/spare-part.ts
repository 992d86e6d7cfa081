import type { SpareLimits } from '../../lib/routing/spare/rule.ts'
import { type NamedGoal, writeGoals } from '../routing/named-goals.ts'
import { SCENARIOS } from '../routing/scenarios.ts'
import { geometricMean, meanOf, spread } from '../routing/spread.ts'
import { cells, write } from '../routing/table.ts'
import type { Options } from './options.ts'
import { Interactive, linesAlone } from './runs.ts'

/** Limits of the 95th percentile of first tokens with a backlog, divided by that without. */
const MAX_MEAN_P95 = 1.06
const MAX_WORST_P95 = 1.2
/** The least part of the spare capacity that lines use, by load in percent. */
const MIN_SPARE: Readonly<Record<number, number>> = { 30: 0.2, 60: 0.3, 80: 0.35 }
/** The least rate of lines at an offline model, divided by that of lines alone. */
const MIN_OFFLINE = 0.9

interface Cell {
  readonly workload: string
  readonly load: number
  readonly growth: number
  readonly p95: number
  readonly mean: number
  readonly token: number
  /** Part of the spare capacity that lines use. */
  readonly spare: number
  readonly lines: number
}

/** An endless backlog next to interactive requests, in virtual time. */
export function spare({ workloads, loads, seeds, requests, growths, cacheShare, slots, line }: Options): void {
  const limits = (growth: number): SpareLimits => ({
    growth,
    max_added_ttft_ms: 50,
    max_share: 1,
    // The other end of the dial also has more of the cache.
    max_cache_share: growth >= 0.2 ? Math.max(0.5, cacheShare) : cacheShare,
    slots,
  })
  write('\n## Lines of batches next to interactive requests\n')
  write(
    `Lines of ${line.promptTokens} tokens, ${line.equalTokens} of them equal, with answers of ${line.answerTokens}.`,
  )
  write('×: with an endless backlog, as a multiple of without. Spare: the rate of lines, divided by the offline rate')
  write('times the part of the time that interactive tokens leave. Means of × are geometric.\n')
  const heads = ['workload', 'load %', 'growth', 'p95 ×', 'mean ×', 'a token ×', 'lines/s', 'spare %']
  cells(heads)
  cells(heads.map((_, i) => (i === 0 ? '-' : '-:')))
  const all: Cell[] = []
  const offline: number[] = []
  for (const scenario of SCENARIOS.filter(({ name }) => workloads.includes(name))) {
    const alone = linesAlone(scenario, line, slots, null)
    const offlineRate = linesAlone(scenario, line, slots, limits(growths[0]!))
    offline.push(offlineRate / alone)
    for (const load of loads) {
      const draws = seeds.map(seed => new Interactive(scenario, line, { load, requests, seed }))
      const without = draws.map(draw => draw.run())
      for (const growth of growths) {
        const some = draws.map((draw, i): Cell => {
          const before = without[i]!
          const { result, tokenMs, lines } = draw.run(limits(growth))
          return {
            workload: scenario.name,
            load,
            growth,
            p95: result.ttft.p95 / before.result.ttft.p95,
            mean: result.ttft.mean / before.result.ttft.mean,
            token: tokenMs / before.tokenMs,
            spare: lines / (offlineRate * (1 - before.used)),
            lines,
          }
        })
        writeCells(some)
        all.push(...some)
      }
    }
  }
  writeMeans(all)
  writeGoals(goalsOf(all, growths[0]!, offline))
}

function writeCells(some: readonly Cell[], name = some[0]!.workload): void {
  const { load, growth } = some[0]!
  const of = (value: (cell: Cell) => number, digits: number) => spread(some.map(value), digits)
  const ratio = (value: (cell: Cell) => number) => spread(some.map(value), 2, geometricMean)
  cells([
    name,
    load,
    growth,
    ratio(({ p95 }) => p95),
    ratio(({ mean }) => mean),
    ratio(({ token }) => token),
    of(({ lines }) => lines, 1),
    of(({ spare }) => 100 * spare, 0),
  ])
}

/** The means over the workloads, as further rows. */
function writeMeans(all: readonly Cell[]): void {
  for (const [, some] of Map.groupBy(all, ({ load, growth }) => `${load} ${growth}`)) {
    const of = (value: (cell: Cell) => number) => meanOf(some.map(value))
    const ratio = (value: (cell: Cell) => number) => geometricMean(some.map(value))
    const mean: Cell = {
      ...some[0]!,
      p95: ratio(({ p95 }) => p95),
      mean: ratio(({ mean }) => mean),
      token: ratio(({ token }) => token),
      spare: of(({ spare }) => spare),
      lines: of(({ lines }) => lines),
    }
    writeCells([mean], '**mean**')
  }
}

function goalsOf(all: readonly Cell[], growth: number, offline: readonly number[]): readonly NamedGoal[] {
  const goals: NamedGoal[] = [
    { name: 'offline: rate of lines ÷ lines alone', value: Math.min(...offline), atLeast: MIN_OFFLINE },
  ]
  const checked = all.filter(cell => cell.growth === growth)
  for (const [load, some] of Map.groupBy(checked, cell => cell.load)) {
    const worst = Array.from(Map.groupBy(some, ({ workload }) => workload).values(), cells =>
      geometricMean(cells.map(({ p95 }) => p95)),
    )
    goals.push(
      {
        name: `${load} %: p95 ×, mean of ${worst.length} workloads`,
        value: geometricMean(worst),
        atMost: MAX_MEAN_P95,
      },
      { name: `${load} %: p95 ×, of the worst workload`, value: Math.max(...worst), atMost: MAX_WORST_P95 },
    )
    const least = MIN_SPARE[load]
    if (least !== undefined)
      goals.push({
        name: `${load} %: spare capacity used`,
        value: meanOf(some.map(({ spare }) => spare)),
        atLeast: least,
      })
  }
  return goals
}
