/** Prompts over HTTP that the index of the gateway must know: a long one, and shared system prompts near capacity. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type EngineSpeed, faster, H100_8B } from '../../simulator/engine-speed.ts'
import { runLoad } from './load.ts'
import { writeGoals } from './named-goals.ts'
import type { Options } from './options.ts'
import type { Policy } from './policies/index.ts'
import { type Result, resultOf } from './result.ts'
import { startServers } from './servers.ts'
import { cells, write } from './table.ts'
import { messagesOf } from './text.ts'
import { simulate } from './virtual.ts'
import { generated, type Session, seeded, type Turn } from './workloads.ts'

const ENGINES = 4
const EVENT_TOKENS = 4
/** A prompt of 1.8 MB, and engines that compute it in a few seconds. */
const LONG: Turn = { pieces: [{ id: 'long', tokens: 450_000 }], answerTokens: 4 }
const LONG_SPEED: EngineSpeed = { ...faster(H100_8B, 50), cacheTokens: 1_000_000 }
const MIN_KNOWN = 0.95
const MAX_SIZES_MS = 30_000

/** The caches of four engines are nine tenths of what is asked. */
const SHARED_SPEED: EngineSpeed = {
  overheadMs: 1.5,
  weightsMs: 8,
  tokenMs: 0.1,
  pairMs: 2e-6,
  kvMs: 1.2e-4,
  stepTokens: 8192,
  batch: 256,
  blockTokens: 16,
  cacheTokens: 80_000,
}
const PROMPTS = 100
const PROMPT_TOKENS = 2048
const QUESTIONS = 3
const QUESTION_TOKENS = 512
const ANSWER_TOKENS = 120
const RATE = 29
const SECONDS = 22
/** Cold caches at full load are another question. These requests do not count. */
const WARM_UP_RATE = 10
const WARM_UP_SECONDS = 30
const COUNTED = { from: 1000 * WARM_UP_SECONDS, until: 1000 * (WARM_UP_SECONDS + SECONDS) }
/** The goals are relative to the best of them: the oracle copies prompts until the caches are too small for all. */
const YARDSTICKS: readonly Policy[] = ['oracle', 'llm-d']
const MIN_HITS = 0.95
const MAX_MEAN = 1.5
/** Added for the gateway, the network and the machine. */
const MEAN_MS = 20

export async function httpPrompts({ seed }: Options): Promise<void> {
  write('\n## Prompts over HTTP, in front of four timed engines\n')
  const known = await knownShare()
  write('| run | requests | hit % | TTFT mean | p95 |\n| - | -: | -: | -: | -: |')
  const sessions = sharedPrompts(seed)
  const yardsticks = YARDSTICKS.map(policy => {
    const result = virtual(policy, sessions, seed)
    writeResult(`${policy} in virtual time`, result)
    return result
  })
  const hits = Math.max(...yardsticks.map(({ hitRate }) => hitRate))
  const meanMs = Math.min(...yardsticks.map(({ ttft }) => ttft.mean))
  const cost = await ofGateway(sessions)
  writeResult('cost over HTTP', cost)
  writeGoals([
    { name: 'known share of a prompt of 1.8 MB, asked twice', value: known, atLeast: MIN_KNOWN },
    { name: `${PROMPTS} system prompts: hits ÷`, value: cost.hitRate / hits, atLeast: MIN_HITS },
    {
      name: `${PROMPTS} system prompts: mean TTFT, ms`,
      value: cost.ttft.mean,
      atMost: Math.round(MAX_MEAN * meanMs + MEAN_MS),
    },
  ])
}

/** The largest known part of the prompt at a backend, as `explain-route` shows it. */
async function knownShare(): Promise<number> {
  const options = {
    engines: ENGINES,
    speed: LONG_SPEED,
    eventTokens: EVENT_TOKENS,
    policy: 'cost',
    workers: 1,
  } as const
  const servers = await startServers(options)
  try {
    await sizesRead(servers.adminUrl, LONG_SPEED)
    const twice: Session = { id: 'long', at: 0, turns: [LONG, LONG], pauses: [0] }
    const samples = await runLoad({ url: servers.url, sessions: [twice], times: 1, modelOf: () => 'm' })
    if (samples.length < 2) return Number.NaN
    const body = { model: 'm', stream: true, messages: messagesOf(LONG) }
    const question = JSON.stringify({ path: '/v1/chat/completions', body, account: '', zdr: false })
    const response = await fetch(`${servers.adminUrl}/explain-route`, { method: 'POST', body: question })
    const { backends } = (await response.json()) as { backends: { knownTokens: number; promptTokens: number }[] }
    return Math.max(...backends.map(({ knownTokens, promptTokens }) => knownTokens / promptTokens))
  } finally {
    await servers.close()
  }
}

/** Waits until the gateway has read the sizes of the caches, which it does with the first health check. */
async function sizesRead(adminUrl: string, { cacheTokens, blockTokens }: EngineSpeed): Promise<void> {
  const tokens = Math.floor(cacheTokens / blockTokens) * blockTokens
  const deadline = performance.now() + MAX_SIZES_MS
  while (performance.now() < deadline) {
    const page = await (await fetch(`${adminUrl}/metrics`)).text()
    const lines = page.split('\n').filter(line => line.startsWith('sluiceway_routing_cache_tokens{model="m"'))
    if (lines.filter(line => line.endsWith(` ${tokens}`)).length === ENGINES) return
    await sleep(200)
  }
  throw new Error('The gateway has not read the sizes of the caches.')
}

function sharedPrompts(seed: number): Session[] {
  const random = seeded(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const timesOf = (rate: number, seconds: number, from: number) =>
    Array.from({ length: rate * seconds }, () => (from + random() * seconds) * 1000)
  const times = [...timesOf(WARM_UP_RATE, WARM_UP_SECONDS, 0), ...timesOf(RATE, SECONDS, WARM_UP_SECONDS)]
  return times
    .toSorted((a, b) => a - b)
    .map((at, i) => {
      const prompt = pick(PROMPTS)
      const question = { id: `http/${prompt}/${pick(QUESTIONS)}`, tokens: QUESTION_TOKENS }
      const pieces = [{ id: `http/${prompt}`, tokens: PROMPT_TOKENS }, question]
      return { id: `http${i}`, at, turns: [{ pieces, answerTokens: ANSWER_TOKENS }], pauses: [] }
    })
}

function virtual(policy: Policy, sessions: readonly Session[], seed: number): Result {
  const run = { policy, sessions, engines: ENGINES, speed: SHARED_SPEED, times: 1, seed } as const
  const { samples, computed } = simulate(run)
  return resultOf(samples, computed, 1, { counted: COUNTED })
}

async function ofGateway(sessions: readonly Session[]): Promise<Result> {
  const options = {
    engines: ENGINES,
    speed: SHARED_SPEED,
    eventTokens: EVENT_TOKENS,
    policy: 'cost',
    workers: 1,
  } as const
  const servers = await startServers(options)
  try {
    await sizesRead(servers.adminUrl, SHARED_SPEED)
    const warm = generated('tenants', 300, 30, 7)
    await runLoad({ url: servers.url, sessions: warm, times: 8, modelOf: () => 'warm' })
    const samples = await runLoad({ url: servers.url, sessions, times: 1, modelOf: () => 'm' })
    return resultOf(samples, await servers.computed(), 1, { counted: COUNTED })
  } finally {
    await servers.close()
  }
}

function writeResult(name: string, { requests, hitRate, ttft }: Result): void {
  cells([name, requests, (100 * hitRate).toFixed(1), ttft.mean.toFixed(1), ttft.p95.toFixed(1)])
}
