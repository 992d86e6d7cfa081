/**
 * The gateway in front of timed engines: hit rate, time to the first token and balance of its policies, of session hashing and
 * of an oracle, on the same requests. `node bin/dev.mjs bench:routing -- --help` lists the options.
 */
import { parseArgs } from 'node:util'
import { faster, H100_8B } from '../../simulator/engine-model.ts'
import { runLoad } from './load.ts'
import { type Result, resultOf } from './result.ts'
import { startServers } from './servers.ts'
import { readTrace } from './trace.ts'
import { type Policy, simulate } from './virtual.ts'
import { GENERATORS, generated, hashed, type Session } from './workloads.ts'

const USAGE = `Usage: npm run bench:routing -- [options]
  --engines 4,8        engines behind the gateway
  --only chat,rag      of: ${GENERATORS.join(', ')}, trace
  --trace FILE         JSON lines, gzipped or not: timestamp, input_length, output_length, hash_ids
  --policies cost      of: oracle, cost, least_load, session
  --requests 1000      of each run
  --times 4            how much faster than real time
  --cache 420000       tokens in the cache of an engine
  --workers 1          processes of the gateway; with more than one, on a private Redis
  --gateways 1         with --virtual: gateways that share nothing
  --sticky             sessions stay at one of them
  --shared 1           they share what they know, and hear it so many milliseconds later
  --virtual            decisions alone, without HTTP, in virtual time
  --seed 1
`

/** Requests a second for four engines, at which an oracle serves nearly all in time. */
const RATES: Readonly<Record<string, number>> = { chat: 28, agent: 3.5, rag: 6, tenants: 45, none: 9, trace: 2.4 }

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: '4,8' },
    only: { type: 'string' },
    policies: { type: 'string', default: 'oracle,cost,least_load,session' },
    trace: { type: 'string' },
    requests: { type: 'string', default: '1000' },
    times: { type: 'string', default: '4' },
    cache: { type: 'string', default: '420000' },
    workers: { type: 'string', default: '1' },
    gateways: { type: 'string', default: '1' },
    sticky: { type: 'boolean', default: false },
    shared: { type: 'string' },
    virtual: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}

const [requests, times, seed, workers] = [values.requests, values.times, values.seed, values.workers].map(Number) as [
  number,
  number,
  number,
  number,
]
const speed = { ...faster(H100_8B, times), cacheTokens: Number(values.cache) }
const names = values.only?.split(',') ?? [...GENERATORS, ...(values.trace === undefined ? [] : ['trace'])]

const POLICIES = ['oracle', 'cost', 'least_load', 'session'] as const satisfies readonly Policy[]

process.stdout.write(
  '| engines | workload | policy | requests | hit % | ÷ oracle | TTFT mean | p50 | p95 | p99 | mean ÷ oracle | imbalance | in time % |\n',
)
process.stdout.write(`|${' - |'.repeat(13)}\n`)
for (const engines of values.engines.split(',').map(Number)) {
  for (const name of names) {
    const sessions = sessionsOf(name, engines)
    let oracle: Result | undefined
    for (const policy of POLICIES.filter(one => one === 'oracle' || values.policies.split(',').includes(one))) {
      const result = await run(policy, sessions, engines)
      oracle ??= result
      process.stdout.write(row(engines, name, policy, result, oracle))
    }
  }
}

function sessionsOf(name: string, engines: number): Session[] {
  const rate = (RATES[name]! * engines) / 4
  if (name !== 'trace') return generated(name, requests, rate, seed)
  if (values.trace === undefined) throw new Error('The workload trace needs --trace FILE.')
  const sessions = readTrace(values.trace, requests, 1)
  return readTrace(values.trace, requests, (rate * sessions.at(-1)!.at) / 1000 / requests)
}

async function run(policy: Policy, sessions: readonly Session[], engines: number): Promise<Result> {
  if (policy === 'oracle' || values.virtual) {
    const sharedAfterMs = values.shared === undefined ? undefined : Number(values.shared)
    const gateways = { count: Number(values.gateways), sticky: values.sticky, sharedAfterMs }
    const { samples, computed } = simulate({ policy, sessions, engines, speed, times, seed, gateways })
    return resultOf(samples, computed, times)
  }
  const served = policy === 'least_load' ? 'least_load' : 'cost'
  const servers = await startServers({ engines, speed, policy: served, workers })
  try {
    const modelOf = (session: Session) => (policy === 'session' ? `e${hashed(session.id) % engines}` : 'm')
    const samples = await runLoad({ url: servers.url, sessions, times, modelOf })
    return resultOf(samples, await servers.computed(), times)
  } finally {
    await servers.close()
  }
}

function row(engines: number, name: string, policy: Policy, result: Result, oracle: Result): string {
  const { ttft } = result
  const ms = (value: number) => value.toFixed(1)
  const ratio = oracle.hitRate === 0 ? '–' : (result.hitRate / oracle.hitRate).toFixed(2)
  const cells = [
    engines,
    name,
    policy,
    result.requests,
    (100 * result.hitRate).toFixed(1),
    ratio,
    ...[ttft.mean, ttft.p50, ttft.p95, ttft.p99].map(ms),
    (ttft.mean / oracle.ttft.mean).toFixed(2),
    result.imbalance.toFixed(2),
    (100 * result.good).toFixed(0),
  ]
  return `| ${cells.join(' | ')} |\n`
}
