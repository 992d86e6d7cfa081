/** Time from the start to the first reply, and the memory of an idle process. */
import { type Bench, type Row, Samples, sleep } from '../bench.ts'
import type { RunOptions } from '../load.ts'
import { median } from '../stats.ts'
import { startTarget, type TargetName } from '../targets.ts'

export async function start(bench: Bench): Promise<readonly Row[]> {
  const names: TargetName[] = ['gateway', 'bare', ...(bench.portkey ? (['portkey'] as const) : [])]
  const time = new Samples(median)
  const memory = new Samples(median)
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    for (const name of names) {
      const started = performance.now()
      const target = await startTarget(name, bench.site)
      try {
        await bench.load.ask('run', { ...target.shot('json', 2000), connections: 1, count: 1 } satisfies RunOptions)
        time.add(name, (performance.now() - started) / 1000)
        await sleep(bench.quick ? 1000 : 3000)
        memory.add(name, target.process!.rssKb() / 1024)
      } finally {
        await target.stop()
      }
    }
  }
  return [
    { what: 'start to the first 200', unit: 's', values: time.values, budget: { against: null, limit: 1, aim: 0.5 } },
    { what: 'idle', unit: 'MB RSS', values: memory.values, budget: { against: null, limit: 150, aim: 110 } },
  ]
}
