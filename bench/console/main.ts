/** `npm run bench:console`: the time until pages with a large store are on the screen, and the cost of live pages. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { chromium } from 'playwright-core'
import { openStore, type Store } from '../../lib/store/store.ts'
import { seededRandom } from '../../simulator/random.ts'
import { readArguments } from '../arguments.ts'
import { growStore } from '../store/grow.ts'
import { analyze, startPostgres } from '../store/postgres.ts'
import { startBenchGateway } from './gateway.ts'
import { liveTable, measureLive } from './live.ts'
import { measurePages, pageTable, signIn } from './pages.ts'
import { seedAccounts, seedRequests } from './seed.ts'

const USAGE = `Usage: npm run bench:console -- [OPTION]…

  --records N               requests in the store (default: 1e7)
  --store sqlite|postgres   (default: sqlite)
  --rounds N                times that each page is loaded (default: 20)
  --live SECONDS            for which each kind of live page is watched; 0: none (default: 30)
  --keep DIR                a folder for the store's files, which stay there; those of an earlier run are used again
`

/** More are copied by the store from these. */
const MOST_INSERTED = 1_000_000

const log = pino({ level: 'warn' })

async function main(): Promise<number> {
  const parsed = readArguments(() =>
    parseArgs({
      options: {
        records: { type: 'string', default: '1e7' },
        store: { type: 'string', default: 'sqlite' },
        rounds: { type: 'string', default: '20' },
        live: { type: 'string', default: '30' },
        keep: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }),
  )
  if (parsed === null) return 2
  const { records, store: kind, rounds, live, keep, help } = parsed.values
  const [count, times, seconds] = [Number(records), Number(rounds), Number(live)]
  const factor = Math.ceil(count / MOST_INSERTED)
  const isWhole = [count, times].every(number => Number.isInteger(number) && number > 0) && count % factor === 0
  if (help || !isWhole || !(seconds >= 0) || !['sqlite', 'postgres'].includes(kind)) {
    process.stderr.write(USAGE)
    return help ? 0 : 2
  }
  const dir = keep === undefined ? mkdtempSync(join(os.tmpdir(), 'sluiceway-console-')) : resolve(keep)
  mkdirSync(dir, { recursive: true })
  // PostgreSQL may run as another user.
  chmodSync(dir, 0o755)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', () => keep ?? rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  const server = kind === 'postgres' ? await startPostgres(join(dir, 'postgres')) : null
  const url = server?.url ?? `sqlite:${join(dir, 'store.db')}`
  const isFilled = existsSync(join(dir, 'filled'))
  const store = await openStore(url, { log })
  try {
    if (!isFilled) await fill(store, url, count / factor, factor)
    mkdirSync(join(dir, 'filled'), { recursive: true })
    if (server !== null) await analyze(url)
    process.stdout.write(
      `\n${kind}, ${count.toLocaleString('en')} requests\n\n${await measure(store, url, dir, times, seconds)}\n`,
    )
  } finally {
    await store.close()
    await server?.stop()
  }
  return 0
}

async function fill(store: Store, url: string, count: number, factor: number): Promise<void> {
  const started = performance.now()
  const now = Date.now() * 1000
  await store.prepare()
  await seedAccounts(store, now)
  await seedRequests(store, count, now, seededRandom(1))
  say(`${count} requests inserted, ${seconds(started)} s`)
  if (factor > 1) await growStore(store, url, factor)
  say(`${count * factor} requests in the store, ${seconds(started)} s`)
}

/** Tables in Markdown. */
async function measure(store: Store, url: string, dir: string, rounds: number, live: number): Promise<string> {
  const gateway = await startBenchGateway(url, mkdtempSync(join(dir, 'gateway-')))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext()
    await signIn(store, context, gateway)
    const started = performance.now()
    const pages = pageTable(await measurePages(store, context, gateway, rounds))
    say(`${rounds + 1} rounds of pages, ${seconds(started)} s`)
    if (live === 0) return pages
    return `${pages}\n\n${liveTable(await measureLive(context, gateway, live))}`
  } finally {
    await browser.close()
    await gateway.stop()
  }
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

process.exit(await main())
