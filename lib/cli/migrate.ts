import { pino } from 'pino'
import { readConfig } from '../config/read.ts'
import { missingPlugin } from '../process/plugin-loader.ts'
import { storeProblem } from '../store/database-error.ts'
import type { Migration } from '../store/migrate.ts'
import { migrateStore, nameOf, type StoreState, storeState } from '../store/store.ts'
import { CommandError, readArguments, required } from './command.ts'

export const usage = `Usage: sluiceway migrate --config FILE [--plan]

Brings the tables of the store up to date, as a start of the gateway does, and prints the migrations that it has
applied. If two run at once, one waits. Exit code 0: the tables are up to date.

--plan prints pending migrations, and what a running gateway of an older version may still do. Nothing is changed.
`

/** Holds for every migration: columns are only added, with a default or null (docs/adr/0034). */
const OLDER = 'a running gateway of an older version continues to read and write'
const LONG = 'reads whole tables: meanwhile records of running gateways wait in their journals, requests do not'

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: { type: 'string', short: 'c' }, plan: { type: 'boolean' } })
  const { store } = readConfig(required(values.config, '--config FILE'), process.env, missingPlugin)
  if (store === 'sqlite::memory:')
    throw new CommandError(
      'the store of this configuration is in memory (sqlite::memory:): it has no tables to migrate',
    )
  const log = pino({ level: 'silent' })
  const name = `store ${nameOf(store)}`
  try {
    if (values.plan === true) {
      const state = await storeState(store, log)
      process.stdout.write(`${[`${name}: ${stateLine(state)}`, ...state.pending.map(planLine)].join('\n')}\n`)
    } else {
      const applied = await migrateStore(store, log)
      const done = applied.length === 0 ? 'tables are up to date: nothing to do' : `applied ${migrationsIn(applied)}`
      process.stdout.write(`${name}: ${done}\n`)
    }
    return 0
  } catch (error) {
    throw new CommandError(`the ${name} cannot be used: ${storeProblem(error)}`)
  }
}

/** The server and its tables, in one line; `check --live` prints it as well. */
export function stateLine({ server, hasTables, pending, newer }: StoreState): string {
  if (server === null) return 'SQLite, created at the first start'
  if (!hasTables) return `${server}; no tables yet: the first start creates them`
  const unknown = newer.length === 0 ? '' : `; ${migrationsIn(newer)} of a newer version: left unchanged`
  if (pending.length === 0) return `${server}; tables are up to date${unknown}`
  const versions = migrationsIn(pending.map(({ version }) => version))
  return `${server}; pending: ${versions}. The next start applies what is pending; ${OLDER}${unknown}`
}

function planLine({ version, adds, isLong }: Migration): string {
  return `  ${String(version).padStart(3)}  adds ${adds}${isLong ? `; ${LONG}` : ''}`
}

function migrationsIn(versions: readonly number[]): string {
  return `${versions.length === 1 ? 'migration' : 'migrations'} ${versions.join(', ')}`
}
