/** What a gateway takes while it has no requests, and its memory after many requests. */
import { type Bench, type Row, Samples, sleep } from '../bench.ts'
import { BUDGETS } from '../budgets.ts'
import { settledCpuMs } from '../cpu.ts'
import type { RunOptions } from '../load.ts'
import { startTarget } from '../targets.ts'

const MODELS = 1000
const SECONDS = 10
/** In the background of a start, each backend is asked what it serves. */
const START_SECONDS = 20

/** CPU with 1,000 models on one server. */
export async function idle(bench: Bench): Promise<readonly Row[]> {
  const cost = new Samples()
  const target = await startTarget('gateway', bench.site, MODELS)
  try {
    await sleep(START_SECONDS * 1000)
    for (let round = 0; round < (bench.quick ? 1 : 4); round++) {
      const before = target.process!.cpuMs()
      await sleep(SECONDS * 1000)
      cost.add('gateway', (target.process!.cpuMs() - before) / SECONDS)
    }
  } finally {
    await target.stop()
  }
  const what = `nobody calls, ${MODELS.toLocaleString('en')} models on one server`
  return [{ what, unit: 'ms CPU/s', measured: cost.measured }]
}

const REQUESTS = 90_000

/** Resident memory after 90,000 requests, from where it does not grow any more. */
export async function memory(bench: Bench): Promise<readonly Row[]> {
  const size = new Samples()
  const count = bench.quick ? 20_000 : REQUESTS
  for (const name of ['gateway', 'bare'] as const) {
    const target = await startTarget(name, bench.site)
    try {
      const options = { ...target.shot('json', 2000), connections: 64, count: count / 10 } satisfies RunOptions
      for (let slice = 0; slice < 10; slice++) await bench.load.ask('run', options)
      await settledCpuMs(() => target.process!.cpuMs())
      size.add(name, target.process!.rssKb() / 1024)
    } finally {
      await target.stop()
    }
  }
  const what = `after ${count.toLocaleString('en')} small chat requests`
  return [{ what, unit: 'MB RSS', measured: size.measured, budget: BUDGETS.plateau }]
}
