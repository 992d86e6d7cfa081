import { expect } from 'chai'
import { createPolicy, type Policy } from '../../../../bench/routing/policies/index.ts'
import type { PolicyRequest } from '../../../../bench/routing/policies/policy.ts'
import { VirtualEngines } from '../../../../bench/routing/virtual-engines.ts'
import { BackendPool } from '../../../../lib/backends/pool.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import { EngineJob } from '../../../../simulator/engine-model.ts'
import { H100_8B } from '../../../../simulator/engine-speed.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model as modelConfig } from '../../../support/canonical.ts'

/** 1 ms a token, so that times are easy to read. */
const SPEED = { ...H100_8B, tokenMs: 1, pairMs: 1e-9, kvMs: 0, blockTokens: 16, stepTokens: 512, cacheTokens: 64_000 }

function request(blocks: readonly number[], answerTokens = 1): PolicyRequest {
  const job = new EngineJob(16 * blocks.length, answerTokens, blocks, () => {})
  const session = { id: 's', at: 0, turns: [], pauses: [] }
  return { session, job }
}

const blocks = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

function bench(name: Exclude<Policy, 'cost'>, count = 2) {
  const config = modelConfig(
    {},
    { backends: Array.from({ length: count }, (_, i) => backendConfig({ url: `http://e${i}/v1` })) },
  )
  const pool = new BackendPool([config], systemClock, { health: null })
  const backends = [...pool.backends()]
  const engines = new VirtualEngines(backends.map(backend => [backend, SPEED]))
  const time = { ms: 0 }
  const policy = createPolicy(name, { engines, random: () => 0, now: () => time.ms })!
  const choose = (one: PolicyRequest) => backends.indexOf(policy.choose(backends, one))
  /** Sends a request to an engine, whoever would have chosen it. */
  const send = (index: number, one: PolicyRequest) => {
    engines.of(backends[index]!).submit(one.job, time.ms)
    policy.sent?.(backends[index]!, one)
  }
  const run = (ms: number) => {
    time.ms += ms
    for (const backend of backends) engines.of(backend).advance(time.ms)
  }
  return { backends, policy, choose, send, run }
}

describe('the policy oracle', () => {
  it('follows the cache until the queue there is longer than the prefill elsewhere', () => {
    const { choose, send, run } = bench('oracle')
    send(1, request(blocks(0, 20)))
    run(1000)
    expect(choose(request([...blocks(0, 20), 900]))).equal(1)
    send(1, request(blocks(100, 60)))
    expect(choose(request([...blocks(0, 20), 900]))).equal(0)
  })
})

describe('the policy llm-d', () => {
  it('adds the matched share of the prompt, the queue and the use of the cache', () => {
    const { choose, send, run } = bench('llm-d')
    send(1, request(blocks(0, 20)))
    run(1000)
    expect(choose(request(blocks(0, 20)))).equal(1)
    // A queue costs 2 at the longest one. A match of half of the prompt is worth 1.5.
    for (const at of [100, 200, 300]) send(1, request(blocks(at, 60)))
    run(100)
    expect(choose(request([...blocks(0, 10), ...blocks(900, 10)]))).equal(0)
    expect(choose(request(blocks(0, 20)))).equal(1)
  })

  it('reads the metrics of engines every 50 ms', () => {
    const { choose, send, run } = bench('llm-d')
    expect(choose(request(blocks(0, 1)))).equal(0)
    for (const at of [100, 200, 300]) send(0, request(blocks(at, 60)))
    run(10)
    expect(choose(request(blocks(0, 1)))).equal(0)
    run(45)
    expect(choose(request(blocks(0, 1)))).equal(1)
  })
})

describe('the policy dynamo', () => {
  it('adds blocks to be computed and blocks in use', () => {
    const { backends, policy, choose, send, run } = bench('dynamo')
    const first = request(blocks(0, 20), 400)
    send(1, first)
    // Nothing is cached yet: engine 0 has neither prefills nor blocks in use.
    expect(choose(request(blocks(0, 20)))).equal(0)
    run(350)
    policy.begun!(backends[1]!, first)
    // 20 cached blocks, which are in use: nothing is added to engine 1. Engine 0 would compute and use 20.
    expect(choose(request(blocks(0, 20)))).equal(1)
    // Without a match, the blocks in use decide.
    expect(choose(request(blocks(500, 4)))).equal(0)
    policy.ended!(backends[1]!, first)
    // 3 of 4 blocks are to be computed at engine 0 as well as at engine 1: a tie, which goes to the first one.
    expect(choose(request(blocks(500, 4)))).equal(0)
  })
})

describe('the policy session', () => {
  it('has one backend for a session', () => {
    const { choose } = bench('session', 8)
    expect(choose(request(blocks(0, 3)))).equal(choose(request(blocks(50, 3))))
  })
})
