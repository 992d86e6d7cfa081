/** `node bench/scaling/main.ts`: one process without Redis, one and two with Redis, and the Redis calls per request. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { Helper } from '../helper.ts'
import type { OpenOptions, RunOptions, RunResult } from '../load.ts'
import { HELPER_CORE, Pinned } from '../processes.ts'
import { KEY } from '../workload.ts'
import { type Case, type Server, startGateway, startRedis } from './servers.ts'

const CASES: readonly Case[] = [
  { label: '1 process', workers: 1, redis: false, prepaid: false },
  { label: '1 process, Redis', workers: 1, redis: true, prepaid: false },
  { label: '2 workers, Redis', workers: 2, redis: true, prepaid: false },
  { label: '1 process, Redis, prepaid', workers: 1, redis: true, prepaid: true },
]
const CONNECTIONS = 64
const REQUESTS = 6000
const STREAMS = 1000
const STREAM_SECONDS = 4

/** The processes around the gateway. */
interface Site {
  readonly dir: string
  readonly redis: Server
  readonly stats: Redis
  readonly backend: Helper
  readonly load: Helper
  readonly helpers: readonly Pinned[]
}

const USAGE = `Usage: node bench/scaling/main.ts

Measures one process without Redis, one and two with Redis, and one with a prepaid account. Takes a minute. Needs Linux and
redis-server.
`

async function main(): Promise<number> {
  const argv = process.argv.slice(2)
  if (argv.length > 0) {
    const isHelp = argv.length === 1 && argv[0] === '--help'
    process.stderr.write(isHelp ? USAGE : `There is no argument '${argv[0]}'.\n\n${USAGE}`)
    return isHelp ? 0 : 2
  }
  const dir = mkdtempSync(join(os.tmpdir(), 'sluiceway-scaling-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  const redis = await startRedis(dir)
  const helpers = ['backend.ts', 'load.ts'].map(
    file => new Pinned([fileURLToPath(new URL(`../${file}`, import.meta.url))], { core: HELPER_CORE, ipc: true }),
  )
  const [backend, load] = helpers.map(one => new Helper(one))
  const stats = new Redis(redis.port)
  const site: Site = { dir, redis, stats, backend: backend!, load: load!, helpers }
  for (const one of CASES) process.stdout.write(`\n${one.label}\n${(await measure(one, site)).join('\n')}\n`)
  stats.disconnect()
  await redis.stop()
  return 0
}

async function measure(one: Case, site: Site): Promise<readonly string[]> {
  const gateway = await startGateway(one, site.dir, await site.backend.ask<number>('port'), site.redis.port)
  try {
    const shot = {
      port: gateway.port,
      headers: `authorization: Bearer ${KEY}\r\n`,
      api: 'chat',
      bytes: 2000,
    } as const
    const chats = (count: number) =>
      site.load.ask<RunResult>('run', {
        ...shot,
        behaviour: 'json',
        connections: CONNECTIONS,
        count,
      } satisfies RunOptions)
    await chats(REQUESTS / 2)
    // The writer still moves the records of the first requests.
    await sleep(1500)
    await site.stats.config('RESETSTAT')
    const cpu = () => ({
      gateway: gateway.cpuMs(),
      redis: site.redis.cpuMs(),
      helpers: site.helpers.reduce((sum, helper) => sum + helper.cpuMs(), 0),
    })
    const before = cpu()
    const result = await chats(REQUESTS)
    const after = cpu()
    const us = (name: 'gateway' | 'redis' | 'helpers') => ((after[name] - before[name]) * 1000) / REQUESTS
    await sleep(500)
    const asked = commands(await site.stats.info('commandstats'))
    const streams = one.prepaid ? [] : await measureStreams(shot, gateway, site)
    return [
      `  chats: ${((REQUESTS * 1000) / result.elapsedMs).toFixed(0)} per second, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms`,
      `  CPU per chat: gateway ${us('gateway').toFixed(0)} µs, Redis ${us('redis').toFixed(0)} µs, load and backend ${us('helpers').toFixed(0)} µs`,
      ...(one.redis ? [`  Redis per chat: ${asked}`] : []),
      ...streams,
    ]
  } finally {
    await site.load.ask('close')
    await gateway.stop()
  }
}

async function measureStreams(
  shot: Omit<OpenOptions, 'behaviour' | 'streams' | 'perSecond'>,
  gateway: Server,
  { load, backend, stats }: Site,
): Promise<readonly string[]> {
  const rssBefore = gateway.rssKb()
  await load.ask('open', { ...shot, behaviour: 'paced', streams: STREAMS, perSecond: 400 } satisfies OpenOptions)
  await sleep(1500)
  await stats.config('RESETSTAT')
  const eventsBefore = await backend.ask<number>('events')
  const cpuBefore = gateway.cpuMs()
  await sleep(STREAM_SECONDS * 1000)
  const cpuMs = gateway.cpuMs() - cpuBefore
  const events = (await backend.ask<number>('events')) - eventsBefore
  const calls = callsOf(await stats.info('commandstats'), /^eval(sha)?$/)
  return [
    `  streams: ${STREAMS}, ${(events / STREAM_SECONDS).toFixed(0)} events per second, ${((cpuMs * 1000) / events).toFixed(1)} µs CPU per event, ` +
      `${((gateway.rssKb() - rssBefore) / STREAMS).toFixed(0)} KB each, ${(calls / STREAM_SECONDS).toFixed(1)} Redis calls per second in all`,
  ]
}

/** Scripts that the gateway sends, and commands that they run. */
function commands(info: string): string {
  const sent = callsOf(info, /^eval(sha)?$/) / REQUESTS
  const inside = callsOf(info, /^(?!eval|info|config|client|script|hello|ping|select|time)/) / REQUESTS
  const usec = /cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(info)?.[1] ?? '?'
  return `${sent.toFixed(2)} scripts sent, ${inside.toFixed(1)} commands on keys within them, ${usec} µs per script inside Redis`
}

function callsOf(info: string, name: RegExp): number {
  let calls = 0
  for (const [, command, count] of info.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)) {
    if (name.test(command!)) calls += Number(count)
  }
  return calls
}

process.exit(await main())
