/** Lines over HTTP without interactive requests: sent to the engines directly, and as a batch of an offline model. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Servers } from '../routing/servers.ts'
import type { LineShape } from './backlog.ts'
import { HttpBatch, type Outcome } from './http-batch.ts'
import { lineBodies } from './http-traffic.ts'

/** Limit of the time until as many lines begin as end. */
const MAX_SETTLE_SECONDS = 7
/** Lines of the batch, as a multiple of those that run directly in the same time. */
const RESERVE = 1.05

export interface LinesOptions {
  readonly line: LineShape
  readonly slots: number
  readonly seconds: number
}

/** Lines per second of the engines, each of which always has `slots` of them. */
export async function directRate(servers: Servers, { line, slots, seconds }: LinesOptions): Promise<number> {
  const agent = new http.Agent({ keepAlive: true })
  const places = servers.engineUrls.length * slots
  const bodies = lineBodies(line, 0, Math.ceil(2 * places + 40 * seconds))
  let next = 0
  let ended = 0
  let isOver = false
  const place = async (url: string) => {
    while (!isOver) {
      await post(agent, `${url}/v1/chat/completions`, bodies[next++ % bodies.length]!)
      ended++
    }
  }
  const all = servers.engineUrls.flatMap(url => Array.from({ length: slots }, () => place(url)))
  const rate = await rateOf(seconds, () => Promise.resolve(ended))
  isOver = true
  await Promise.all(all)
  agent.destroy()
  return rate
}

/** Runs a batch to its end, whose model has no interactive requests. */
export async function offlineRate(
  servers: Servers,
  direct: number,
  { line, seconds }: LinesOptions,
): Promise<{ readonly rate: number; readonly outcome: Outcome }> {
  const count = Math.ceil(RESERVE * direct * (seconds + settleSeconds(seconds)))
  const batch = await HttpBatch.start(servers.url, lineBodies(line, 100_000, count))
  const rate = await rateOf(seconds, () => completed(servers))
  return { rate, outcome: await batch.outcome() }
}

/** Lines that have ended so far. */
export async function completed({ adminUrl }: Servers): Promise<number> {
  const page = await (await fetch(`${adminUrl}/metrics`)).text()
  const lines = page.split('\n').filter(line => /^sluiceway_batch_requests_total\{.*outcome="completed"/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const settleSeconds = (seconds: number) => Math.min(MAX_SETTLE_SECONDS, 2 * seconds)

async function rateOf(seconds: number, count: () => Promise<number>): Promise<number> {
  await sleep(1000 * settleSeconds(seconds))
  const before = await count()
  const from = performance.now()
  await sleep(1000 * seconds)
  return (1000 * ((await count()) - before)) / (performance.now() - from)
}

function post(agent: http.Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method: 'POST', headers: { 'content-length': Buffer.byteLength(body) } })
    request.on('error', reject)
    request.on('response', response => response.resume().on('end', resolve))
    request.end(body)
  })
}
