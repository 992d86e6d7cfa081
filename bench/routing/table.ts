import { missed } from './goals.ts'
import type { Result } from './result.ts'

const HEAD = ['engines', 'workload', 'policy', 'requests', 'hit %', '÷', 'TTFT mean', 'p50', 'p95', 'p99']
const TAIL = ['mean ÷', 'imbalance', 'in time %', 'goals']

export function write(line: string): void {
  process.stdout.write(`${line}\n`)
}

export const cells = (of: readonly (string | number)[]) => write(`| ${of.join(' | ')} |`)

/** A missed goal makes the exit code 1. Returns the text. */
export function missedGoal(text: string): string {
  process.exitCode = 1
  return text
}

/** `against`: the run that ratios are relative to. */
export function writeHead(title: string, against: string): void {
  write(`\n## ${title}\n\nRatios are of ${against}.\n`)
  const heads = [...HEAD, ...TAIL]
  cells(heads)
  cells(heads.map((_, i) => (i === 1 || i === 2 ? '-' : '-:')))
}

export interface TableRow {
  readonly engines: number
  readonly workload: string
  readonly what: string
  readonly result: Result
  readonly against: Result
  /** undefined: no goal. */
  readonly goal?: Parameters<typeof missed>[2]
}

export function writeRow({ engines, workload, what, result, against, goal }: TableRow): void {
  const { ttft } = result
  const names = goal === undefined ? '' : missed(result, against, goal)
  const verdict = goal === undefined ? '' : names === '' ? 'met' : missedGoal(names)
  cells([
    engines,
    workload,
    what,
    result.requests,
    (100 * result.hitRate).toFixed(1),
    against.hitRate === 0 ? '–' : (result.hitRate / against.hitRate).toFixed(2),
    ...[ttft.mean, ttft.p50, ttft.p95, ttft.p99].map(ms => ms.toFixed(1)),
    (ttft.mean / against.ttft.mean).toFixed(2),
    result.imbalance.toFixed(2),
    (100 * result.good).toFixed(0),
    verdict,
  ])
}
