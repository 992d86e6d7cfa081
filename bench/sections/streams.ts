/** Many concurrent streams, each with an event every 50 ms. */
import { type Bench, cpuMs, type Row, Samples, sleep, type Values } from '../bench.ts'
import type { Gaps, OpenOptions, RunOptions } from '../load.ts'
import { median } from '../stats.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import type { Api } from '../workload.ts'

const BODY_BYTES = 2000

interface Case {
  readonly target: TargetName
  readonly api: Api
  readonly label: string
}

export async function streams(bench: Bench): Promise<readonly Row[]> {
  const count = bench.quick ? 300 : 1000
  const cases: Case[] = [
    { target: 'direct', api: 'chat', label: 'chat' },
    { target: 'bare', api: 'chat', label: 'chat' },
    { target: 'gateway', api: 'chat', label: 'chat' },
    { target: 'gateway', api: 'messages', label: 'Messages' },
    { target: 'gateway', api: 'responses', label: 'Responses' },
  ]
  const results = new Map(cases.map(one => [one, newResult()]))
  for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
    for (const [one, result] of results) {
      // Memory is comparable only in a fresh process.
      const target = await startTarget(one.target, bench.site)
      try {
        await measure(bench, target, one.api, count, result)
      } catch (error) {
        bench.say(`${one.label} streams at ${one.target}: not measured: ${(error as Error).message.slice(0, 300)}`)
      } finally {
        await bench.load.ask('close')
        await target.stop()
      }
    }
  }
  return rowsOf(results, count)
}

interface Result {
  readonly cpuUs: Samples
  readonly rssKb: Samples
  readonly gapMs: Samples
}

function newResult(): Result {
  return { cpuUs: new Samples(median), rssKb: new Samples(median), gapMs: new Samples(median) }
}

async function measure(bench: Bench, target: Target, api: Api, count: number, result: Result): Promise<void> {
  const { load, backend } = bench
  // Warm-up, so that only the streams add to the memory.
  const warmUp = { ...target.shot('flat', BODY_BYTES, api), connections: 8, count: 16 }
  await load.ask('run', warmUp satisfies RunOptions)
  await sleep(500)
  const rssBefore = target.process?.rssKb() ?? 0
  await load.ask('open', {
    ...target.shot('paced', BODY_BYTES, api),
    streams: count,
    perSecond: 400,
  } satisfies OpenOptions)
  await sleep(bench.quick ? 1000 : 3000)
  await load.ask('startGaps')
  const eventsBefore = await backend.ask<number>('events')
  const { cpuMs: used } = await cpuMs(target, () => sleep(bench.quick ? 2000 : 6000))
  const events = (await backend.ask<number>('events')) - eventsBefore
  const gaps = await load.ask<Gaps>('stopGaps')
  result.gapMs.add(target.name, gaps.extraP99Ms)
  if (target.process === null) return
  result.rssKb.add(target.name, (target.process.rssKb() - rssBefore) / count)
  result.cpuUs.add(target.name, (used * 1000) / events)
  if (gaps.events < events * 0.98) bench.say(`${target.name}: only ${gaps.events} of ${events} events came through`)
}

function rowsOf(results: ReadonlyMap<Case, Result>, count: number): readonly Row[] {
  const merged = (label: string, pick: (result: Result) => Samples): Values => {
    const values: Values = {}
    for (const [one, result] of results)
      if (one.label === label || one.target !== 'gateway') Object.assign(values, pick(result).values)
    return values
  }
  const rows: Row[] = []
  for (const label of ['chat', 'Messages', 'Responses']) {
    const limits = label === 'chat' ? { limit: 1.3, aim: 1.1 } : { limit: 1.6, aim: 1.3 }
    const budget = { against: 'bare', ...limits } as const
    rows.push({
      what: `event of ${count} ${label} streams`,
      unit: 'µs CPU',
      values: merged(label, one => one.cpuUs),
      budget,
    })
  }
  rows.push(
    {
      what: `open stream, of ${count}`,
      unit: 'KB RSS',
      values: merged('chat', one => one.rssKb),
      budget: { against: 'bare', limit: 1.3, aim: 1 },
    },
    {
      what: `gap beyond 50 ms at ${count} streams, p99`,
      unit: 'ms',
      values: merged('chat', one => one.gapMs),
      budget: { against: null, limit: 10, aim: 3 },
    },
  )
  return rows.filter(({ values }) => values.gateway !== undefined)
}
