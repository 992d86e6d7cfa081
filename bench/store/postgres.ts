/** A private PostgreSQL in a folder, with default settings, but without flushes to the disk. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const NOBODY = 65534
const START_MS = 15_000

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server with new or earlier files in `dir`, and with the programs where Debian installs them. */
export async function startPostgres(dir: string): Promise<Server> {
  const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  mkdirSync(dir, { recursive: true })
  const data = join(dir, 'data')
  const asNobody = unprivileged(dir)
  const [command, ...args] = [...asNobody, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust']
  if (!existsSync(data))
    execFileSync(command!, [...args, '-E', 'UTF8', '--locale=C', '--no-sync'], {
      stdio: 'ignore',
      cwd: '/',
      timeout: START_MS,
    })
  const [program, ...options] = [...asNobody, join(bin, 'postgres'), '-D', data, '-k', dir]
  const child = spawn(program!, [...options, '-c', 'listen_addresses=', '-c', 'fsync=off'], {
    stdio: 'ignore',
    cwd: '/',
  })
  const kill = () => child.kill('SIGQUIT')
  process.once('exit', kill)
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`
  const deadline = Date.now() + START_MS
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('PostgreSQL does not start')
    await sleep(100)
  }
  return {
    url,
    async stop() {
      process.off('exit', kill)
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
    },
  }
}

/** Updates the planner's statistics, which autovacuum would do within a minute. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(dir: string): string[] {
  if (process.getuid?.() !== 0) return []
  chownSync(dir, NOBODY, NOBODY)
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
}
