/** Small chat requests: 2 KB in, 0.6 KB of JSON out. */
import { type Bench, cpuMs, type Row, Samples } from '../bench.ts'
import type { RunOptions, RunResult } from '../load.ts'
import { median } from '../stats.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'

const BODY_BYTES = 2000
const CONNECTIONS = 64

export async function requests(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['direct', 'gateway', 'bare', ...(bench.portkey ? (['portkey'] as const) : [])]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  try {
    return [...(await loaded(bench, targets)), ...(await alone(bench, targets))]
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
}

/** 64 connections, one request at a time on each. */
async function loaded(bench: Bench, targets: readonly Target[]): Promise<readonly Row[]> {
  const count = bench.quick ? 4000 : 10_000
  const cost = new Samples(median)
  const rate = new Samples(median)
  for (const target of targets) await shoot(bench, target, CONNECTIONS, count)
  for (let round = 0; round < (bench.quick ? 2 : 7); round++) {
    for (const target of targets) {
      const { cpuMs: used, result } = await cpuMs(target, () => shoot(bench, target, CONNECTIONS, count))
      rate.add(target.name, (count * 1000) / result.elapsedMs)
      if (target.process !== null) cost.add(target.name, (used * 1000) / count)
    }
  }
  return [
    {
      what: 'small chat request',
      unit: 'µs CPU',
      values: cost.values,
      budget: { against: 'bare', limit: 1.5, aim: 1.2 },
    },
    {
      what: 'small chat requests',
      unit: '1/s',
      values: rate.values,
      budget: { against: 'portkey', limit: 3, aim: 5, atLeast: true },
    },
  ]
}

/** One connection: the latency for a client. The first target has no proxy, for comparison. */
async function alone(bench: Bench, targets: readonly Target[]): Promise<readonly Row[]> {
  const count = bench.quick ? 300 : 1000
  const p50 = new Samples(median)
  const p99 = new Samples(median)
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    const direct = await shoot(bench, targets[0]!, 1, count)
    for (const target of targets.slice(1)) {
      const { p50Ms, p99Ms } = await shoot(bench, target, 1, count)
      p50.add(target.name, (p50Ms - direct.p50Ms) * 1000)
      p99.add(target.name, (p99Ms - direct.p99Ms) * 1000)
    }
  }
  return [
    { what: 'added to one request, p50', unit: 'µs', values: p50.values },
    { what: 'added to one request, p99', unit: 'µs', values: p99.values },
  ]
}

function shoot({ load }: Bench, target: Target, connections: number, count: number): Promise<RunResult> {
  return load.ask('run', { ...target.shot('json', BODY_BYTES), connections, count } satisfies RunOptions)
}
