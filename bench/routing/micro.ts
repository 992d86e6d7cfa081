/** The cost of routing for the gateway: CPU time of a decision and of hashing a prompt, and memory of an index. */
import { type Choose, leastLoad } from '../../lib/backends/model-backends.ts'
import { BackendPool } from '../../lib/backends/pool.ts'
import { systemClock } from '../../lib/base/clock.ts'
import { Metrics } from '../../lib/base/metrics.ts'
import { ChunkHasher, hashKey } from '../../lib/routing/chunk-hash.ts'
import { PrefixIndex } from '../../lib/routing/prefix-index.ts'
import { Routing } from '../../lib/routing/routing.ts'
import { TokenRatios } from '../../lib/tokens/token-ratios.ts'
import { backendConfig } from '../../test/support/backend-config.ts'
import { chatRequest, model as modelConfig, targetOf } from '../../test/support/canonical.ts'
import { textOf } from './text.ts'

interface Row {
  readonly what: string
  readonly unit: 'µs' | 'KB'
  readonly value: number
  /** Limit of the value; undefined: none. */
  readonly goal: number | undefined
}

const ROUNDS = 15
/** Much longer than a tick, the unit in which CPU time is counted. */
const ROUND_MS = 30
const SMALL_TOKENS = 500
const CHUNKS_OF_420K_TOKENS = 1640

const drawn: Choose = candidates => leastLoad(candidates, Math.random)

/** Microseconds of CPU time of each piece of work: the minimum of interleaved rounds. */
function leastUs(works: readonly (() => void)[]): number[] {
  const counts = works.map(work => {
    let count = 1
    while (cpuUs(work, count) < ROUND_MS * 1000) count *= 2
    return count
  })
  const least = works.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, work] of works.entries()) least[i] = Math.min(least[i]!, cpuUs(work, counts[i]!) / counts[i]!)
  return least
}

function cpuUs(work: () => void, count: number): number {
  const before = process.threadCpuUsage()
  for (let i = 0; i < count; i++) work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** All of routing for one request: hash, decision, placement, answer, end. */
function decision(policy: 'cost' | 'least_load', backends: number, tokens: number): () => void {
  const configs = Array.from({ length: backends }, (_, i) => backendConfig({ url: `http://e${i}/v1` }))
  const model = modelConfig(
    {},
    { backends: configs, routing: { policy, session_header: undefined, attention_tokens: 32_000 } },
  )
  const pool = new BackendPool([model], systemClock, { health: null })
  const routing = new Routing({ clock: systemClock, metrics: new Metrics(), tokens: new TokenRatios() })
  const target = targetOf(model)
  const system = textOf('micro/system', tokens / 2)
  // Prompts of different conversations with a common system text.
  const requests = Array.from({ length: 64 }, (_, i) => {
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: textOf(`micro/${i}`, tokens / 2) },
    ]
    return { request: chatRequest({ messages, stream: true }), target, headers: {}, bodyBytes: tokens * 4 }
  })
  const usage = { promptTokens: tokens, completionTokens: 20, cachedTokens: tokens / 2, reasoningTokens: null }
  let next = 0
  return () => {
    const routed = routing.route(requests[next++ % requests.length]!)
    const backend = pool.pick(model, false, undefined, routed?.choose ?? drawn)
    const lease = backend.acquire(routed?.place(backend))
    lease.answering(true)
    lease.release('ok', usage)
  }
}

function hashing(source: string): () => void {
  const hasher = new ChunkHasher()
  const key = hashKey(Buffer.alloc(16, 3))
  return () => {
    hasher.begin(key, 'm')
    hasher.add(source)
    hasher.hashes()
  }
}

export function costOfRouting(): readonly Row[] {
  const small = [1, 2, 8].flatMap(count => [
    decision('least_load', count, SMALL_TOKENS),
    decision('cost', count, SMALL_TOKENS),
  ])
  const large = [8000, 100_000].flatMap(tokens => [decision('least_load', 8, tokens), decision('cost', 8, tokens)])
  const us = leastUs([...small, ...large, hashing(textOf('micro/hashed', 105_000))])
  const more = (at: number) => us[at + 1]! - us[at]!
  const index = new PrefixIndex(CHUNKS_OF_420K_TOKENS, CHUNKS_OF_420K_TOKENS)
  for (let i = 0; i < 3 * CHUNKS_OF_420K_TOKENS; i++) index.touch(Math.imul(i + 1, 0x9e3779b1), i, 0)
  return [
    { what: 'chat of 2 KB, one backend: more than `least_load`', unit: 'µs', value: more(0), goal: 5 },
    { what: 'chat of 2 KB, two backends: more than `least_load`', unit: 'µs', value: more(2), goal: 15 },
    { what: 'chat of 2 KB, eight backends: more than `least_load`', unit: 'µs', value: more(4), goal: 15 },
    { what: '8,000 tokens, eight backends: more than `least_load`', unit: 'µs', value: more(6), goal: 60 },
    { what: '100,000 tokens, eight backends: more than `least_load`', unit: 'µs', value: more(8), goal: 600 },
    { what: 'hashing 420 KB', unit: 'µs', value: us[10]!, goal: 600 },
    { what: 'index of 420,000 tokens, whose size is learnt', unit: 'KB', value: index.bytes / 1024, goal: 1024 },
  ]
}
