import { beliefs } from './beliefs-part.ts'
import { disturbed } from './disturbed-part.ts'
import { goalOf, PROCESSES } from './goals.ts'
import { http, httpProcesses } from './http-parts.ts'
import { httpPrompts } from './http-prompts-part.ts'
import { loads } from './loads-part.ts'
import { costOfRouting } from './micro.ts'
import type { Options, Part } from './options.ts'
import { outage } from './outage-part.ts'
import type { Policy } from './policies/index.ts'
import { rig } from './rig-part.ts'
import { virtual, workloadsOf } from './runs.ts'
import { missedGoal, write, writeHead, writeRow } from './table.ts'

const POLICIES_BY_DEFAULT: readonly Policy[] = ['cost', 'session', 'least_load']
/** Time of a message to another process on the same machine, by Redis. */
const SHARED_AFTER_MS = 1

export const RUN: Readonly<Record<Part, (options: Options) => void | Promise<void>>> = {
  cost,
  policies,
  loads,
  rig,
  beliefs,
  disturbed,
  processes,
  outage,
  http,
  'http-processes': httpProcesses,
  'http-prompts': httpPrompts,
}

function cost(): void {
  write(
    '\n## Cost of a decision: CPU time, the least of 15 rounds\n\n| What | Unit | Value | Goal |\n| - | - | -: | -: |',
  )
  for (const { what, unit, value, goal } of costOfRouting()) {
    const verdict = goal === undefined ? '' : `${goal}${value > goal ? missedGoal(', missed') : ''}`
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
    for (const what of (options.policies ?? POLICIES_BY_DEFAULT).filter(one => one !== 'oracle')) {
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
