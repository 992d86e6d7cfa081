import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'

/** Members that are read once, when the process starts (docs/OPERATIONS.md). */
export const RESTART_MEMBERS = [
  'listen',
  'admin',
  'store',
  'limits_store',
  'journal',
  'files',
  'retention_days',
  'log',
] as const satisfies readonly (keyof Config)[]

/** Those of them that differ: a reload does not take them up. */
export function wantsRestart(running: Config, next: Config): readonly string[] {
  return RESTART_MEMBERS.filter(name => !isDeepStrictEqual(running[name], next[name]))
}
