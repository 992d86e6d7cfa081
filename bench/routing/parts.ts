import { type EngineSpeed, faster, H100_8B } from '../../simulator/engine-model.ts'
import { goalOf, PROCESSES } from './goals.ts'
import { runLoad } from './load.ts'
import { costOfRouting } from './micro.ts'
import type { Options, Part } from './options.ts'
import { type Result, resultOf } from './result.ts'
import { startServers } from './servers.ts'
import { write, writeHead, writeRow } from './table.ts'
import { readTrace } from './trace.ts'
import { type Policy, simulate } from './virtual.ts'
import type { VirtualGatewaysOptions } from './virtual-gateways.ts'
import { generated, hashed, type Session } from './workloads.ts'

/** Requests a second for four engines, at which an oracle serves nearly all in time. */
const RATES: Readonly<Record<string, number>> = { chat: 28, agent: 3.5, rag: 6, tenants: 45, none: 9, trace: 2.4 }
const VIRTUAL_POLICIES: readonly Policy[] = ['cost', 'session', 'least_load']
const ONE_PROCESS = { count: 1, sticky: false, sharedAfterMs: undefined }
const HTTP_POLICIES: readonly Policy[] = ['cost']
/** A message to another process of the machine, through Redis. */
const SHARED_AFTER_MS = 1
/** Workloads of the small run with two processes over HTTP. */
const SMALL = ['chat', 'rag', 'tenants']

interface Workload {
  readonly name: string
  readonly engines: number
  readonly sessions: readonly Session[]
}

export const RUN: Readonly<Record<Part, (options: Options) => void | Promise<void>>> = {
  cost,
  policies,
  processes,
  http,
  'http-processes': httpProcesses,
}

function cost(): void {
  write(
    '\n## Cost of a decision: CPU time, the least of 15 rounds\n\n| What | Unit | Value | Goal |\n| - | - | -: | -: |',
  )
  for (const { what, unit, value, goal } of costOfRouting()) {
    const verdict = goal === undefined ? '' : `${goal}${value > goal ? ', missed' : ''}`
    write(`| ${what} | ${unit} | ${value.toFixed(1)} | ${verdict} |`)
  }
}

function policies(options: Options): void {
  writeHead('Policies in virtual time', 'the oracle')
  for (const workload of workloadsOf(options, options.requests)) {
    const { engines, name } = workload
    const oracle = virtual(options, workload, 'oracle')
    const row = { engines, workload: name, against: oracle }
    writeRow({ ...row, what: 'oracle', result: oracle })
    for (const what of (options.policies ?? VIRTUAL_POLICIES).filter(one => one !== 'oracle')) {
      const result = virtual(options, workload, what, options.gateways)
      writeRow({ ...row, what, result, ...(what === 'cost' && { goal: goalOf(oracle, true) }) })
    }
  }
}

function processes(options: Options): void {
  writeHead(`Processes that share, ${SHARED_AFTER_MS} ms late, in virtual time`, 'one process')
  for (const workload of workloadsOf(options, options.requests)) {
    const { engines, name } = workload
    const one = virtual(options, workload, 'cost')
    for (const count of [2, 4]) {
      const result = virtual(options, workload, 'cost', { count, sticky: false, sharedAfterMs: SHARED_AFTER_MS })
      const goal = count === 2 ? { goal: PROCESSES } : {}
      writeRow({ engines, workload: name, what: `${count} processes`, result, against: one, ...goal })
    }
  }
}

async function http(options: Options): Promise<void> {
  writeHead('Through the gateway over HTTP', 'the oracle in virtual time')
  for (const workload of workloadsOf(options)) {
    const { engines, name } = workload
    const against = virtual(options, workload, 'oracle')
    const row = { engines, workload: name, against }
    writeRow({ ...row, what: 'oracle', result: against })
    for (const what of options.policies ?? HTTP_POLICIES) {
      if (what === 'oracle') continue
      const result = await real(options, workload, what, 1)
      writeRow({ ...row, what, result, ...(what === 'cost' && { goal: goalOf(against, false) }) })
    }
  }
}

async function httpProcesses(options: Options): Promise<void> {
  writeHead('Two workers and Redis over HTTP', 'one worker')
  const engines = options.engines.slice(0, 1)
  const names = options.workloads.filter(name => SMALL.includes(name))
  for (const workload of workloadsOf({ ...options, engines, workloads: names })) {
    const row = { engines: workload.engines, workload: workload.name }
    const one = await real(options, workload, 'cost', 1)
    writeRow({ ...row, what: '1 worker', result: one, against: one })
    const two = await real(options, workload, 'cost', 2)
    writeRow({ ...row, what: '2 workers', result: two, against: one, goal: PROCESSES })
  }
}

/** `requests`: of each run; default: as many as come in the seconds of a run. */
function* workloadsOf(options: Options, requests?: number): Iterable<Workload> {
  const { times, seconds, seed, trace } = options
  for (const engines of options.engines) {
    for (const name of options.workloads) {
      const rate = (RATES[name]! * engines) / 4
      const count = requests ?? Math.min(options.requests, Math.round(rate * times * seconds))
      if (name !== 'trace') {
        yield { name, engines, sessions: generated(name, count, rate, seed) }
        continue
      }
      const at = readTrace(trace!, count, 1).at(-1)!.at
      yield { name, engines, sessions: readTrace(trace!, count, (rate * at) / 1000 / count) }
    }
  }
}

function virtual(
  options: Options,
  { sessions, engines }: Workload,
  policy: Policy,
  gateways: VirtualGatewaysOptions = ONE_PROCESS,
): Result {
  const { times, seed } = options
  const { samples, computed } = simulate({
    policy,
    sessions,
    engines,
    speed: speedOf(options),
    times,
    seed,
    gateways,
  })
  return resultOf(samples, computed, times)
}

async function real(options: Options, workload: Workload, policy: Policy, workers: number): Promise<Result> {
  const { sessions, engines } = workload
  const { times } = options
  const served = policy === 'least_load' ? 'least_load' : 'cost'
  const servers = await startServers({ engines, speed: speedOf(options), policy: served, workers })
  try {
    const modelOf = (session: Session) => (policy === 'session' ? `e${hashed(session.id) % engines}` : 'm')
    const samples = await runLoad({ url: servers.url, sessions, times, modelOf })
    return resultOf(samples, await servers.computed(), times)
  } finally {
    await servers.close()
  }
}

function speedOf({ times, cacheTokens }: Options): EngineSpeed {
  return { ...faster(H100_8B, times), cacheTokens }
}
