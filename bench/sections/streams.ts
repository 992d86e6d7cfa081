/** Many concurrent streams, each with an event every 50 ms, or every 250. */
import { type Bench, type Row, Samples, sleep } from '../bench.ts'
import { BUDGETS, type Budget } from '../budgets.ts'
import type { Gaps, OpenOptions, RunOptions } from '../load.ts'
import { startTarget, type Target, type TargetName } from '../targets.ts'
import { type Api, PACES } from '../workload.ts'

const BODY_BYTES = 2000

/** Streams at one target in a process of its own. */
interface Case {
  readonly target: TargetName
  readonly api: Api
}

const APIS = { chat: 'chat', messages: 'Messages', responses: 'Responses' } as const

interface Result {
  readonly cpuUs: Samples
  readonly rssKb: Samples
  readonly gapMs: Samples
}

interface Crowd {
  readonly behaviour: 'paced' | 'calm'
  readonly streams: number
}

export async function streams(bench: Bench): Promise<readonly Row[]> {
  const cases: Case[] = [
    { target: 'direct', api: 'chat' },
    { target: 'bare', api: 'chat' },
    { target: 'gateway', api: 'chat' },
    { target: 'gateway', api: 'messages' },
    { target: 'gateway', api: 'responses' },
  ]
  const crowd = { behaviour: 'paced', streams: bench.quick ? 300 : 1000 } as const
  const results = await measureAll(bench, cases, crowd, bench.quick ? 1 : 4)
  const { bare } = results.chat.cpuUs.measured
  const events = (['chat', 'messages', 'responses'] as const).map(api => ({
    what: `event of ${crowd.streams.toLocaleString('en')} ${APIS[api]} streams`,
    unit: 'µs CPU',
    measured: { ...results[api].cpuUs.measured, ...(bare !== undefined && { bare }) },
    ...(api === 'chat' && { budget: BUDGETS.chatEvent }),
  }))
  return [...events, ...rowsOf(results.chat, crowd, BUDGETS.stream)]
}

/** 2,000 chats, slower ones, so that one core has enough for them. */
export async function crowd(bench: Bench): Promise<readonly Row[]> {
  const cases = (['direct', 'bare', 'gateway'] as const).map(target => ({ target, api: 'chat' }) as const)
  const crowd = { behaviour: 'calm', streams: 2000 } as const
  const { chat } = await measureAll(bench, cases, crowd, bench.quick ? 1 : 4)
  const what = `event of ${crowd.streams.toLocaleString('en')} chat streams`
  const cost = { what, unit: 'µs CPU', measured: chat.cpuUs.measured }
  return [cost, ...rowsOf(chat, crowd, BUDGETS.crowdedStream)]
}

function rowsOf({ rssKb, gapMs }: Result, { behaviour, streams }: Crowd, budget: Budget): readonly Row[] {
  const count = streams.toLocaleString('en')
  return [
    { what: `open stream, of ${count}`, unit: 'KB RSS', measured: rssKb.measured, budget },
    { what: `gap beyond ${PACES[behaviour]} ms at ${count} streams, p99`, unit: 'ms', measured: gapMs.measured },
  ]
}

type Results = Readonly<Record<keyof typeof APIS, Result>>

async function measureAll(bench: Bench, cases: readonly Case[], crowd: Crowd, rounds: number): Promise<Results> {
  const empty = (): Result => ({ cpuUs: new Samples(), rssKb: new Samples(), gapMs: new Samples() })
  const results = { chat: empty(), messages: empty(), responses: empty(), embeddings: empty() }
  for (let round = 0; round < rounds; round++) {
    for (const { target: name, api } of cases) {
      // Memory is comparable only in a fresh process.
      const target = await startTarget(name, bench.site)
      try {
        await measure(bench, target, api, crowd, results[api])
      } catch (error) {
        bench.say(`${api} streams at ${name}: not measured: ${(error as Error).message.slice(0, 300)}`)
      } finally {
        await bench.load.ask('close')
        await target.stop()
      }
    }
  }
  return results
}

async function measure(bench: Bench, target: Target, api: Api, crowd: Crowd, result: Result): Promise<void> {
  const { load, backend } = bench
  const { behaviour, streams } = crowd
  // Warm-up, so that only the streams add to the memory.
  const warmUp = { ...target.shot('flat', BODY_BYTES, api), connections: 8, count: 16 }
  await load.ask('run', warmUp satisfies RunOptions)
  await sleep(500)
  const rssBefore = target.process?.rssKb() ?? 0
  const shot = { ...target.shot(behaviour, BODY_BYTES, api), behaviour }
  await load.ask('open', { ...shot, streams, perSecond: 400 } satisfies OpenOptions)
  await sleep(bench.quick ? 1000 : 3000)
  await load.ask('startGaps')
  const eventsBefore = await backend.ask<number>('events')
  const cpuBefore = target.process?.cpuMs() ?? 0
  await sleep(bench.quick ? 2000 : 5000)
  const used = (target.process?.cpuMs() ?? 0) - cpuBefore
  const events = (await backend.ask<number>('events')) - eventsBefore
  const gaps = await load.ask<Gaps>('stopGaps')
  result.gapMs.add(target.name, gaps.extraP99Ms)
  if (target.process === null) return
  result.rssKb.add(target.name, (target.process.rssKb() - rssBefore) / streams)
  result.cpuUs.add(target.name, (used * 1000) / events)
  if (gaps.events < events * 0.98) bench.say(`${target.name}: only ${gaps.events} of ${events} events came through`)
}
