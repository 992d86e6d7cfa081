/** The parts over HTTP: a gateway and timed engines, in processes of their own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { goalOf, PROCESSES } from './goals.ts'
import { runLoad } from './load.ts'
import type { Options } from './options.ts'
import type { Policy } from './policies/index.ts'
import { type Result, resultOf } from './result.ts'
import { SMALL, speedOf, virtual, type Workload, workloadsOf } from './runs.ts'
import { startServers } from './servers.ts'
import { coresOf, type StageRow, stagesOf, tokensPerSecond, writeStages } from './stages.ts'
import { writeHead, writeRow } from './table.ts'
import { generated, hashed, type Session } from './workloads.ts'

const HTTP_POLICIES: readonly Policy[] = ['cost']
/** The gateway does not have the other policies. */
const SERVED: readonly Policy[] = ['cost', 'session', 'least_load']
/** Busy cores of other programs from which on a run is marked as disturbed. */
const MAX_OTHERS = 0.1

/**
 * Requests of the warm-up: code that has not run some hundred times is interpreted, and takes several times as long.
 */
const WARM: readonly Session[] = generated('tenants', 1200, 60, 7).map(session => ({
  ...session,
  turns: session.turns.slice(0, 1),
}))

/** A run over HTTP. */
interface Run {
  readonly workload: Workload
  readonly policy: Policy
  readonly workers: number
  readonly what: string
}

interface Measured {
  /** `~` marks a run during which other programs were busy. */
  readonly what: string
  readonly result: Result
  readonly row: Omit<StageRow, 'against' | 'goal'>
}

export async function http(options: Options): Promise<void> {
  writeHead(`Through the gateway over HTTP, ${compressed(options)}`, 'the oracle in virtual time')
  const rows: StageRow[] = []
  for (const workload of workloadsOf(options)) {
    const { engines, name } = workload
    const against = virtual(options, workload, 'oracle')
    const of = { engines, workload: name, against }
    writeRow({ ...of, what: 'oracle', result: against })
    for (const policy of options.policies ?? HTTP_POLICIES) {
      if (!SERVED.includes(policy)) continue
      const { what, result, row } = await real(options, { workload, policy, workers: 1, what: policy })
      writeRow({ ...of, what, result, ...(policy === 'cost' && { goal: goalOf(against, false) }) })
      rows.push({ ...row, against: against.ttft.mean, goal: goalOf(against, true).mean })
    }
  }
  writeStages(rows)
}

export async function httpProcesses(options: Options): Promise<void> {
  writeHead(`Two workers and Redis over HTTP, ${compressed(options)}`, 'one worker')
  const rows: StageRow[] = []
  const engines = options.engines.slice(0, 1)
  const names = options.workloads.filter(name => SMALL.includes(name))
  for (const workload of workloadsOf({ ...options, engines, workloads: names })) {
    const of = { engines: workload.engines, workload: workload.name }
    const one = await real(options, { workload, policy: 'cost', workers: 1, what: '1 worker' })
    writeRow({ ...of, what: one.what, result: one.result, against: one.result })
    const two = await real(options, { workload, policy: 'cost', workers: 2, what: '2 workers' })
    writeRow({ ...of, what: two.what, result: two.result, against: one.result, goal: PROCESSES })
    const against = one.row.stages.model.mean
    for (const { row } of [one, two]) rows.push({ ...row, against, goal: PROCESSES.mean })
  }
  writeStages(rows)
}

function compressed({ times }: Options): string {
  return `in time compressed by ${times}, ${eventTokensOf(times)} tokens an event; ~: other programs ran as well`
}

/** Gives as many events per second as there are tokens without compression: each event costs every process a write. */
function eventTokensOf(times: number): number {
  return Math.max(1, Math.round(times))
}

async function real(options: Options, { workload, policy, workers, what }: Run): Promise<Measured> {
  const { sessions, engines, name } = workload
  const { times } = options
  const served = policy === 'least_load' ? 'least_load' : 'cost'
  const eventTokens = eventTokensOf(times)
  const servers = await startServers({ engines, speed: speedOf(options), eventTokens, policy: served, workers })
  try {
    const modelOf = (session: Session) => (policy === 'session' ? `e${hashed(session.id) % engines}` : 'm')
    await runLoad({ url: servers.url, sessions: WARM, times, modelOf: () => 'warm' })
    const cores = coresOf(servers)
    const begun = sleep(sessions.at(-1)!.at / times).then(cores)
    const samples = await runLoad({ url: servers.url, sessions, times, modelOf })
    const busy = await begun
    const marked = busy.others > MAX_OTHERS ? `${what} ~` : what
    const stages = stagesOf(samples, await servers.requests())
    return {
      what: marked,
      result: resultOf(samples, await servers.computed(), times),
      row: { workload: name, what: marked, tokens: tokensPerSecond(samples), eventTokens, stages, cores: busy },
    }
  } finally {
    await servers.close()
  }
}
