import { cells, missedGoal, write } from './table.ts'

/** A limit that the gateway's policy must keep. */
export interface NamedGoal {
  readonly name: string
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
}

export function isMet({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: NamedGoal): boolean {
  return value >= atLeast && value <= atMost
}

/** A missed goal makes the exit code 1. */
export function writeGoals(goals: readonly NamedGoal[]): void {
  write('\n| goal | value | limit | |\n| - | -: | -: | - |')
  for (const goal of goals) {
    const limits = [goal.atLeast !== undefined && `≥ ${goal.atLeast}`, goal.atMost !== undefined && `≤ ${goal.atMost}`]
    const verdict = isMet(goal) ? 'met' : missedGoal('missed')
    cells([goal.name, goal.value.toFixed(2), limits.filter(one => one !== false).join(', '), verdict])
  }
}
