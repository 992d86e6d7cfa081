/** A new process: time from the start to the first reply, the cost of its first requests, and its memory when idle. */
import { type Bench, type Row, Samples, sleep } from '../bench.ts'
import { BUDGETS } from '../budgets.ts'
import { cpuMs } from '../cpu.ts'
import type { RunOptions } from '../load.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'

const FIRST = 5000
const CONNECTIONS = 64

export async function start(bench: Bench): Promise<readonly Row[]> {
  const time = new Samples()
  const memory = new Samples()
  // The first start of a run compiles everything; later ones read compiled code from the cache, as the command does.
  await withTarget('gateway', bench, target => shoot(bench, target, 1, 1))
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    for (const name of namesOf(bench)) {
      const started = performance.now()
      await withTarget(name, bench, async target => {
        await shoot(bench, target, 1, 1)
        time.add(name, (performance.now() - started) / 1000)
        await sleep(bench.quick ? 1000 : 2000)
        memory.add(name, target.process!.rssKb() / 1024)
      })
    }
  }
  return [
    { what: 'start to the first 200', unit: 's', measured: time.measured, budget: BUDGETS.start },
    { what: 'idle', unit: 'MB RSS', measured: memory.measured, budget: BUDGETS.idleMemory },
  ]
}

/** CPU of the first requests, from the moment when the port is open. */
export async function first(bench: Bench): Promise<readonly Row[]> {
  const cost = new Samples()
  for (let round = 0; round < (bench.quick ? 2 : 5); round++) {
    for (const name of ['gateway', 'bare'] as const) {
      await withTarget(name, bench, async target => {
        const { cpuMs: used } = await cpuMs(target, () => shoot(bench, target, CONNECTIONS, FIRST))
        cost.add(name, (used * 1000) / FIRST)
      })
    }
  }
  const what = `small chat request, the first ${FIRST.toLocaleString('en')} of a process`
  return [{ what, unit: 'µs CPU', measured: cost.measured }]
}

function namesOf({ peers }: Bench): readonly TargetName[] {
  return ['gateway', 'bare', ...peers]
}

async function withTarget(name: TargetName, bench: Bench, work: (target: Target) => Promise<void>): Promise<void> {
  const target = await startTarget(name, bench.site)
  try {
    await work(target)
  } finally {
    await target.stop()
  }
}

async function shoot({ load }: Bench, target: Target, connections: number, count: number): Promise<void> {
  await load.ask('run', { ...target.shot('json', 2000), connections, count } satisfies RunOptions)
}
