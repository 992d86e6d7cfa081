/** Large request bodies: their cost, and how much they delay other streams. */
import { type Bench, type Row, Samples, sleep } from '../bench.ts'
import { BUDGETS } from '../budgets.ts'
import { cpuMs } from '../cpu.ts'
import type { Gaps, OpenOptions, RunOptions, RunResult } from '../load.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import type { Shape } from '../workload.ts'

const MB = 1_000_000

/** Rounds before the measurement, in which V8 compiles the code. */
const WARM_UP = 5

export async function bodies(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare', ...bench.peers]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  try {
    const one = await cost(bench, targets, 1, bench.quick ? 20 : 30)
    const twenty = bench.quick ? [] : [await cost(bench, targets, 20, 2)]
    return [{ ...one, budget: BUDGETS.body }, ...twenty]
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
}

async function cost(bench: Bench, targets: readonly Target[], size: number, count: number): Promise<Row> {
  const samples = new Samples()
  const run = (target: Target): Promise<RunResult> =>
    bench.load2.ask('run', { ...target.shot('json', size * MB), connections: 1, count } satisfies RunOptions)
  for (const target of targets) for (let i = 0; i < WARM_UP; i++) await run(target)
  for (let round = 0; round < (bench.quick ? 4 : 7); round++) {
    for (const target of targets) {
      const { cpuMs: used, result } = await cpuMs(target, () => run(target))
      samples.add(target.name, used / ((count * result.bodyBytes) / MB))
    }
  }
  return { what: `body of ${size} MB`, unit: 'ms CPU/MB', measured: samples.measured }
}

/**
 * Bodies of 50 MB come as fast as one Gbit/s brings them. Faster, sending them would take the core away from the load
 * generator, which would then take its own delays for those of the target.
 */
const BYTES_PER_MS = 125_000

interface Burst {
  readonly label: string
  readonly shape: Shape
  readonly megabytes: number
  readonly connections: number
  readonly count: number
}

const MESSAGES = { label: '2 × 50 MB in messages', shape: 'messages', megabytes: 50, connections: 1, count: 2 } as const

/** Streams that run meanwhile: some of 20 tokens a second, or many slow ones. */
const CASES: readonly { readonly behaviour: 'paced' | 'slow'; readonly streams: number; readonly burst: Burst }[] = [
  { behaviour: 'paced', streams: 100, burst: MESSAGES },
  {
    behaviour: 'paced',
    streams: 100,
    burst: { label: '2 × 50 MB in one text', shape: 'text', megabytes: 50, connections: 1, count: 2 },
  },
  {
    behaviour: 'paced',
    streams: 100,
    burst: { label: '50 × 1 MB at once', shape: 'messages', megabytes: 1, connections: 50, count: 50 },
  },
  { behaviour: 'slow', streams: 2000, burst: MESSAGES },
]

/** How much longer the p99 gap of streams becomes while large bodies arrive. */
export async function disturbance(bench: Bench): Promise<readonly Row[]> {
  const targets = await Promise.all((['gateway', 'bare'] as const).map(name => startTarget(name, bench.site)))
  const rows: Row[] = []
  try {
    for (const { behaviour, streams, burst } of bench.quick ? CASES.slice(0, 1) : CASES) {
      const samples = new Samples()
      for (let round = 0; round < (bench.quick ? 1 : 4); round++) {
        for (const target of targets) {
          const shot = { ...target.shot(behaviour, 2000), behaviour }
          await bench.load.ask('open', { ...shot, streams, perSecond: 400 } satisfies OpenOptions)
          const calm = await gapsOf(bench, () => sleep(1500))
          const busy = await gapsOf(bench, () => send(bench, target, burst))
          await bench.load.ask('close')
          samples.add(target.name, busy - calm)
        }
      }
      const what = `gap of ${streams} ${behaviour === 'slow' ? 'slow ' : ''}streams while ${burst.label} arrive, p99`
      rows.push({ what, unit: 'ms more', measured: samples.measured })
    }
  } finally {
    await bench.load.ask('close')
    await Promise.all(targets.map(target => target.stop()))
  }
  return rows
}

async function gapsOf({ load }: Bench, work: () => Promise<unknown>): Promise<number> {
  await load.ask('startGaps')
  await work()
  return (await load.ask<Gaps>('stopGaps')).extraP99Ms
}

function send({ load2 }: Bench, target: Target, burst: Burst): Promise<RunResult> {
  const { shape, megabytes, connections, count } = burst
  const shot = { ...target.shot('json', megabytes * MB), shape, connections, count }
  return load2.ask('run', { ...shot, bytesPerMs: BYTES_PER_MS / connections } satisfies RunOptions)
}
