/** Large request bodies: their cost, and how much they delay other streams. */
import { type Bench, type Budget, cpuMs, type Row, Samples, sleep } from '../bench.ts'
import type { Gaps, OpenOptions, RunOptions, RunResult } from '../load.ts'
import { median } from '../stats.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'

const MB = 1_000_000

/**
 * A body of 50 MB comes as fast as one Gbit/s brings it. Faster, sending it would take the core away from the load
 * generator, which would then take its own delays for those of the target.
 */
const LARGE = { size: 50, bytesPerMs: 125_000 }

/** Rounds before the measurement, in which V8 compiles the code. */
const WARM_UP = 5

/** Streams that run while bodies of 50 MB arrive: some of 20 tokens a second, and many slow ones. */
const CROWDS = [
  { behaviour: 'paced', streams: 100 },
  { behaviour: 'slow', streams: 2000 },
] as const

export async function bodies(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare', ...(bench.portkey ? (['portkey'] as const) : [])]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  try {
    const one = await cost(bench, targets, 1, bench.quick ? 20 : 60)
    const twenty = await cost(bench, targets, 20, bench.quick ? 1 : 3)
    const disturbed: Row[] = []
    for (const crowd of bench.quick ? CROWDS.slice(0, 1) : CROWDS)
      disturbed.push(await disturbance(bench, targets.slice(0, 2), crowd))
    return [
      { ...one, budget: { against: null, limit: 4, aim: 2.5 } satisfies Budget },
      twenty,
      ...disturbed.map(row => ({ ...row, budget: { against: null, limit: 10 } satisfies Budget })),
    ]
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
}

async function cost(bench: Bench, targets: readonly Target[], size: number, count: number): Promise<Row> {
  const samples = new Samples(median)
  for (const target of targets) for (let i = 0; i < WARM_UP; i++) await shoot(bench, target, size, count)
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    for (const target of targets) {
      const { cpuMs: used, result } = await cpuMs(target, () => shoot(bench, target, size, count))
      samples.add(target.name, used / ((count * result.bodyBytes) / MB))
    }
  }
  return { what: `body of ${size} MB`, unit: 'ms CPU/MB', values: samples.values }
}

/** How much longer the p99 gap of paced streams becomes while bodies of 50 MB arrive. */
async function disturbance(bench: Bench, targets: readonly Target[], crowd: (typeof CROWDS)[number]): Promise<Row> {
  const { load } = bench
  const samples = new Samples(median)
  for (const target of targets) {
    try {
      const { behaviour, streams } = crowd
      await load.ask('open', { ...target.shot(behaviour, 2000), streams, perSecond: 400 } satisfies OpenOptions)
      for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
        await load.ask('startGaps')
        await sleep(2000)
        const calm = await load.ask<Gaps>('stopGaps')
        await load.ask('startGaps')
        await shoot(bench, target, LARGE.size, 2, LARGE.bytesPerMs)
        const busy = await load.ask<Gaps>('stopGaps')
        samples.add(target.name, busy.extraP99Ms - calm.extraP99Ms)
      }
    } finally {
      await load.ask('close')
    }
  }
  const what = `gap of ${crowd.streams} ${crowd.behaviour === 'slow' ? 'slow ' : ''}streams while 50 MB arrive, p99`
  return { what, unit: 'ms more', values: samples.values }
}

function shoot({ load2 }: Bench, target: Target, size: number, count: number, bytesPerMs?: number): Promise<RunResult> {
  const options = { ...target.shot('json', size * MB), connections: 1, count }
  return load2.ask('run', (bytesPerMs === undefined ? options : { ...options, bytesPerMs }) satisfies RunOptions)
}
