import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'

/** Members that are read only at the start (docs/OPERATIONS.md), except the names of the TLS files in `listen`. */
export const RESTART_MEMBERS = [
  'listen',
  'admin',
  'store',
  'stored_models',
  'limits_store',
  'journal',
  'files',
  'limits',
  'retention_days',
  'workers',
  'log',
] as const satisfies readonly (keyof Config)[]

/** The changed members that a reload does not apply. */
export function changedRestartMembers(running: Config, next: Config): readonly string[] {
  const kept = reloadable(running, next)
  return RESTART_MEMBERS.filter(name => !isDeepStrictEqual(kept[name], next[name]))
}

/** The configuration after a reload: the next one, with the restart members of the running one. */
export function reloadable(running: Config, next: Config): Config {
  const { listen, admin, store, stored_models, limits_store, journal, files, limits, retention_days, workers, log } =
    running
  return {
    ...next,
    listen: listen.tls === undefined ? listen : { ...listen, tls: next.listen.tls ?? listen.tls },
    admin,
    store,
    stored_models,
    limits_store,
    journal,
    files,
    limits,
    retention_days,
    workers,
    log,
  }
}
