/** Small requests to a process that has served many: chat with 2 KB in and 0.6 KB of JSON out, and embeddings. */
import { type Bench, type Row, Samples } from '../bench.ts'
import { BUDGETS } from '../budgets.ts'
import { cpuMs } from '../cpu.ts'
import type { RunOptions, RunResult } from '../load.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import type { Behaviour } from '../workload.ts'

const BODY_BYTES = 2000
const CONNECTIONS = 64
/** The compiler still wavers after this many requests of a process, but no more than the machine does. */
const WARM_UP = 20_000
const WARM_UP_SLICE = 2000
/** Also where little is measured: a process becomes cheaper for as long as these take. */
const ROUNDS = 11

export async function requests(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['direct', 'gateway', 'bare', ...bench.peers]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  try {
    return [...(await loaded(bench, targets)), ...(await alone(bench, targets))]
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
}

/** A vector for a text of 2 KB, through the byte pipe. */
export async function embeddings(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare', ...bench.peers.filter(peer => peer === 'nginx')]
  const targets = await Promise.all(names.map(name => startTarget(name, bench.site)))
  try {
    const cost = await costOf(bench, targets, 'vector')
    const budget = BUDGETS.embedding
    return [{ what: 'embedding of one text', unit: 'µs CPU', measured: cost.measured, budget }]
  } finally {
    await Promise.all(targets.map(target => target.stop()))
  }
}

/** 64 connections, one request at a time on each. */
async function loaded(bench: Bench, targets: readonly Target[]): Promise<readonly Row[]> {
  const withProcess = targets.filter(({ process }) => process !== null)
  const { measured } = await costOf(bench, withProcess, 'json')
  const rates = Object.entries(measured).map(([name, costs]) => [name, costs.map(us => 1_000_000 / us)])
  return [
    { what: 'small chat request', unit: 'µs CPU', measured, budget: BUDGETS.request },
    { what: 'small chat requests, with one core', unit: '1/s', measured: Object.fromEntries(rates) },
  ]
}

/** CPU of each target for a request, in slices that take turns. */
async function costOf(bench: Bench, targets: readonly Target[], behaviour: Behaviour): Promise<Samples> {
  const cost = new Samples()
  const count = 3000
  // In turns: a process that waits while others are warmed up costs a fifth more afterwards.
  for (let done = 0; done < WARM_UP; done += WARM_UP_SLICE) {
    for (const target of targets) await shoot(bench, target, behaviour, CONNECTIONS, WARM_UP_SLICE)
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      const { cpuMs: used } = await cpuMs(target, () => shoot(bench, target, behaviour, CONNECTIONS, count))
      cost.add(target.name, (used * 1000) / count)
    }
  }
  return cost
}

/** One connection: the latency for a client. The first target has no proxy, for comparison. */
async function alone(bench: Bench, targets: readonly Target[]): Promise<readonly Row[]> {
  const count = bench.quick ? 300 : 500
  const p50 = new Samples()
  const p99 = new Samples()
  for (let round = 0; round < (bench.quick ? 4 : 7); round++) {
    const direct = await shoot(bench, targets[0]!, 'json', 1, count)
    for (const target of targets.slice(1)) {
      const { p50Ms, p99Ms } = await shoot(bench, target, 'json', 1, count)
      p50.add(target.name, (p50Ms - direct.p50Ms) * 1000)
      p99.add(target.name, (p99Ms - direct.p99Ms) * 1000)
    }
  }
  return [
    { what: 'added to one request, p50', unit: 'µs', measured: p50.measured },
    { what: 'added to one request, p99', unit: 'µs', measured: p99.measured },
  ]
}

function shoot(
  { load }: Bench,
  target: Target,
  behaviour: Behaviour,
  connections: number,
  count: number,
): Promise<RunResult> {
  const api = behaviour === 'vector' ? 'embeddings' : 'chat'
  return load.ask('run', { ...target.shot(behaviour, BODY_BYTES, api), connections, count } satisfies RunOptions)
}
