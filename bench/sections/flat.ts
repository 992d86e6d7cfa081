/** Streams without a pace, 16 events per write of the backend. */
import { type Bench, type Row, Samples } from '../bench.ts'
import { cpuMs } from '../cpu.ts'
import type { RunOptions, RunResult } from '../load.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import { FLAT_EVENTS } from '../workload.ts'

const CONNECTIONS = 16
const STREAMS = 16

export async function flat(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare', ...bench.peers.filter(peer => peer === 'nginx')]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  const cost = new Samples()
  const run = (target: Target): Promise<RunResult> =>
    bench.load.ask('run', {
      ...target.shot('flat', 2000),
      connections: CONNECTIONS,
      count: STREAMS,
    } satisfies RunOptions)
  try {
    // In turns: a process that waits while others are warmed up costs more afterwards.
    for (let i = 0; i < 2; i++) for (const target of targets) await run(target)
    for (let round = 0; round < (bench.quick ? 4 : 11); round++) {
      for (const target of targets) {
        const { cpuMs: used } = await cpuMs(target, () => run(target))
        cost.add(target.name, (used * 1000) / (STREAMS * FLAT_EVENTS))
      }
    }
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
  const what = 'event flat out, 16 with each write'
  return [{ what, unit: 'µs CPU', measured: cost.measured }]
}
