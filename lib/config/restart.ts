import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'

/** Members that are read once, when the process starts (docs/OPERATIONS.md). Of `listen` that is all but the names of the TLS files. */
export const RESTART_MEMBERS = [
  'listen',
  'admin',
  'store',
  'limits_store',
  'journal',
  'files',
  'retention_days',
  'workers',
  'log',
] as const satisfies readonly (keyof Config)[]

/** Those of them that differ: a reload does not take them up. */
export function wantsRestart(running: Config, next: Config): readonly string[] {
  const kept = reloadable(running, next)
  return RESTART_MEMBERS.filter(name => !isDeepStrictEqual(kept[name], next[name]))
}

/** What a reload makes of the running configuration: the next one, but for what takes a restart. */
export function reloadable(running: Config, next: Config): Config {
  const { listen, admin, store, limits_store, journal, files, retention_days, workers, log } = running
  return {
    ...next,
    listen: listen.tls === undefined ? listen : { ...listen, tls: next.listen.tls ?? listen.tls },
    admin,
    store,
    limits_store,
    journal,
    files,
    retention_days,
    workers,
    log,
  }
}
