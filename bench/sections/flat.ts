/** Streams without a pace, 16 events per write of the backend. */
import { type Bench, cpuMs, type Row, Samples } from '../bench.ts'
import type { RunOptions, RunResult } from '../load.ts'
import { median } from '../stats.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import { FLAT_EVENTS } from '../workload.ts'

const CONNECTIONS = 16

export async function flat(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare']
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  const count = bench.quick ? 16 : 32
  const cost = new Samples(median)
  const run = (target: Target): Promise<RunResult> =>
    bench.load.ask('run', { ...target.shot('flat', 2000), connections: CONNECTIONS, count } satisfies RunOptions)
  try {
    for (const target of targets) await run(target)
    for (let round = 0; round < (bench.quick ? 2 : 7); round++) {
      for (const target of targets) {
        const { cpuMs: used } = await cpuMs(target, () => run(target))
        cost.add(target.name, (used * 1000) / (count * FLAT_EVENTS))
      }
    }
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
  return [
    { what: 'event flat out', unit: 'µs CPU', values: cost.values, budget: { against: 'bare', limit: 2.5, aim: 1.5 } },
  ]
}
