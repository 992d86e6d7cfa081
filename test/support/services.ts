/**
 * PostgreSQL and Redis for the suites that need them: those of DATABASE_URL and REDIS_URL, or a private server. That is
 * started once per process that runs tests, from the binaries on PATH or of Debian, and stopped with that process.
 * Without a server, the suite is skipped with a hint, or fails with REQUIRE_SERVICES=1.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './programs.ts'

/** Far above the time on a busy machine. */
const START_MS = 60_000

/** Whether this is a run of the fast tests, which start no services. */
export const isFastRun = process.env.TEST_KIND === 'fast'

/** A server, and a function that stops it. */
interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** Call in a describe: its tests use a new database. Returns a function that returns the URL. */
export function usePostgres(): () => string {
  refuseFastRun()
  let server: string | undefined
  let name = ''
  let url = ''
  before(async function () {
    this.timeout(2 * START_MS)
    server = await urlOf(postgres)
    if (server === undefined) return skip(this, 'PostgreSQL', 'postgresql', 'DATABASE_URL')
    name = `sluiceway_test_${process.pid}_${Date.now()}`
    await withClient(server, client => client.query(`create database ${name}`))
    const own = new URL(server)
    own.pathname = `/${name}`
    url = own.href
  })
  after(async () => {
    if (server !== undefined) await withClient(server, client => client.query(`drop database ${name} with (force)`))
  })
  return () => url
}

/** Call in a describe. Returns a function that returns the URL of a server that other suites share. */
export function useRedis(): () => string {
  refuseFastRun()
  let url: string | undefined
  before(async function () {
    this.timeout(2 * START_MS)
    url = await urlOf(redis)
    if (url === undefined) skip(this, 'Redis', 'redis-server', 'REDIS_URL')
  })
  return () => url ?? ''
}

function refuseFastRun(): void {
  if (isFastRun) throw new Error('Fast tests start no services: name the file of this suite *.slow.test.ts.')
}

function skip(context: Mocha.Context, service: string, packageName: string, variable: string): void {
  const problem = `${service} is not installed: apt-get install ${packageName}, or set ${variable}`
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(problem)
  console.log(`      skipped: ${problem}`)
  context.skip()
}

type Start = () => Promise<Service | undefined>

const started = new Map<Start, Promise<Service | undefined>>()

async function urlOf(start: Start): Promise<string | undefined> {
  const running = started.get(start) ?? start()
  started.set(start, running)
  return (await running)?.url
}

async function postgres(): Promise<Service | undefined> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} }
  const initdb = find('initdb', '/usr/lib/postgresql/*/bin')
  const server = find('postgres', '/usr/lib/postgresql/*/bin')
  if (initdb === undefined || server === undefined) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'pg-'))
  const data = join(dir, 'data')
  const user = unprivileged(dir)
  run([...user, initdb, '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const options = ['-D', data, '-k', dir, '-c', 'listen_addresses=', '-c', 'fsync=off']
  // SIGQUIT: immediate shutdown. SIGINT: fast shutdown, which does not wait for clients.
  const child = launch(dir, [...user, server, ...options], 'SIGQUIT')
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`
  await answers(child, () => withClient(url, client => client.query('select 1')))
  return { url, stop: () => end(child, dir, 'SIGINT') }
}

async function redis(): Promise<Service | undefined> {
  if (process.env.REDIS_URL) return { url: process.env.REDIS_URL, stop: async () => {} }
  return redisServer(['--save', '', '--appendonly', 'no'])
}

export interface RedisServer extends Service {
  readonly port: number
  /** Suspends the process, like a machine that hangs. Requests are served afterwards. */
  hang(): void
  resume(): void
}

/** A private Redis. `configFile`: the first lines of a file that Redis may write to, as a sentinel needs it. */
export async function redisServer(
  options: readonly string[] = [],
  configFile?: (port: number) => string,
): Promise<RedisServer | undefined> {
  const server = find('redis-server', '/usr/bin')
  if (server === undefined) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const file = join(dir, 'redis.conf')
  writeFileSync(file, configFile?.(port) ?? '')
  const common = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir]
  const child = launch(dir, [server, file, ...common, ...options])
  await answers(child, () => opens(port))
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => {
      child.kill('SIGCONT')
      return end(child, dir, 'SIGTERM')
    },
  }
}

/** The newest program of this name in the folders of PATH, then in `folder`. */
function find(name: string, folder: string): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map(dir => join(dir, name))
  const byVersion = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })
  return [...onPath, ...globSync(join(folder, name)).sort(byVersion)].find(path => existsSync(path))
}

/** PostgreSQL does not run as root: the prefix that runs a command as another user, who becomes owner of the folder. */
function unprivileged(dir: string): string[] {
  if (process.getuid?.() !== 0) return []
  const nobody = 65534
  chownSync(dir, nobody, nobody)
  return ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
}

function run([command, ...args]: readonly string[]): void {
  execFileSync(command!, args, { stdio: 'ignore', timeout: START_MS, cwd: '/' })
}

interface Running {
  /** The folder of its files. */
  readonly dir: string
  /** The signal that stops it at once and releases shared memory. */
  readonly abort: NodeJS.Signals
}

const servers = new Map<ChildProcess, Running>()

// The servers end with the tests.
process.once('exit', () => {
  for (const [child, { dir, abort }] of servers) {
    child.kill(abort)
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  }
})

function launch(dir: string, [command, ...args]: readonly string[], abort: NodeJS.Signals = 'SIGKILL'): ChildProcess {
  const child = spawn(command!, args, { stdio: 'ignore', cwd: '/' })
  servers.set(child, { dir, abort })
  return child
}

async function answers(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}

async function end(child: ChildProcess, dir: string, signal: NodeJS.Signals): Promise<void> {
  servers.delete(child)
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
  rmSync(dir, { recursive: true, force: true })
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function opens(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
