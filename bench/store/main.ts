/** `node bench/store/main.ts`: times of the queries of the inspection and usage routes, by the size of the store. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { openStore } from '../../lib/store/store.ts'
import { seededRandom } from '../../simulator/random.ts'
import { readArguments } from '../arguments.ts'
import type { Delay } from './gateway.ts'
import { growStore } from './grow.ts'
import { type LoopReport, measureLoop } from './loop.ts'
import { type Timing, timeOf } from './measure.ts'
import { analyze, startPostgres } from './postgres.ts'
import { queriesOf } from './queries.ts'
import { seed } from './seed.ts'

const USAGE = `Usage: node bench/store/main.ts [OPTION]…

  --rows N,…                requests in the store at each measurement, ascending (default: 100000,1000000)
  --store sqlite|postgres   only one of the two
  --keep DIR                an empty folder for the stores' files, which stay there
`

const KINDS = ['sqlite', 'postgres'] as const
type Kind = (typeof KINDS)[number]

/** From this size on rows are multiplied inside the database, if the next size is a multiple. */
const GROW_FROM = 1_000_000

const log = pino({ level: 'warn' })

async function main(): Promise<number> {
  const parsed = readArguments(() =>
    parseArgs({
      options: {
        rows: { type: 'string', default: '100000,1000000' },
        store: { type: 'string' },
        keep: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }),
  )
  if (parsed === null) return 2
  const { values } = parsed
  const sizes = values.rows.split(',').map(Number)
  const kinds = KINDS.filter(kind => values.store === undefined || kind === values.store)
  const ascending = sizes.every((size, i) => Number.isInteger(size) && size > (sizes[i - 1] ?? 0))
  if (values.help || kinds.length === 0 || !ascending) {
    process.stderr.write(USAGE)
    return values.help ? 0 : 2
  }
  const dir = values.keep === undefined ? mkdtempSync(join(os.tmpdir(), 'sluiceway-store-')) : resolve(values.keep)
  mkdirSync(dir, { recursive: true })
  // PostgreSQL may run as another user.
  chmodSync(dir, 0o755)
  if (readdirSync(dir).length > 0) throw new Error(`${dir} is not empty`)
  const remove = () => values.keep ?? rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', remove)
  for (const kind of kinds) process.stdout.write(`\n${await measureStore(kind, join(dir, kind), sizes)}\n`)
  return 0
}

/** Returns a Markdown table. */
async function measureStore(kind: Kind, dir: string, sizes: readonly number[]): Promise<string> {
  const server = kind === 'postgres' ? await startPostgres(dir) : null
  const url = server?.url ?? `sqlite:${join(dir, 'store.db')}`
  const store = await openStore(url, { log })
  const random = seededRandom(1)
  const end = Date.now() * 1000
  const results = new Map<string, Timing[]>()
  const loops: LoopReport[] = []
  try {
    let rows = 0
    for (const size of sizes) {
      const started = performance.now()
      if (rows >= GROW_FROM && size % rows === 0) {
        await growStore(store, url, size / rows)
        say(`${kind}: ${size - rows} requests copied, ${rate(size - rows, started)} per second`)
      } else {
        await seed(store, size - rows, end, random)
        say(`${kind}: ${size - rows} requests inserted, ${rate(size - rows, started)} per second`)
      }
      rows = size
      if (server !== null) await analyze(url)
      const queries = await queriesOf(store, end, random)
      for (const query of queries) {
        const timing = await timeOf(query)
        say(`${kind} ${size} ${query.what}: ${cell(timing)}`)
        results.set(query.what, [...(results.get(query.what) ?? []), timing])
      }
      const loop = await measureLoop(url, join(dir, `gateway-${size}`))
      say(`${kind} ${size} ${JSON.stringify(loop)}`)
      loops.push(loop)
    }
  } finally {
    await store.close()
    await server?.stop()
  }
  const header = ['p50 / p95 in ms', ...sizes.map(size => size.toLocaleString('en'))]
  const lines = [header, header.map((_, i) => (i > 0 ? '-:' : '-'))]
  for (const [what, timings] of results) lines.push([what, ...timings.map(cell)])
  const table = lines.map(line => `| ${line.join(' | ')} |`).join('\n')
  return `${kind}\n\n${table}\n\n${loopTable(sizes, loops)}`
}

function loopTable(sizes: readonly number[], loops: readonly LoopReport[]): string {
  const cells = ({ p50Ms, p99Ms, maxMs }: Delay) => [p50Ms, p99Ms, maxMs].map(ms => ms.toFixed(1)).join(' / ')
  const lines = loops.map(
    ({ alone, asked, questions, refused }, i) =>
      `| ${sizes[i]!.toLocaleString('en')} | ${cells(alone)} | ${cells(asked)} | ${questions} | ${refused} |`,
  )
  const header = `| delay of the event loop, p50 / p99 / max in ms, ${loops[0]?.streams ?? 0} streams | alone | asked | questions | not 200 |`
  return [header, '| -: | -: | -: | -: | -: |', ...lines].join('\n')
}

function cell({ p50Ms, p95Ms, failed }: Timing): string {
  return `${digits(p50Ms)} / ${digits(p95Ms)}${failed > 0 ? ' (failed)' : ''}`
}

function digits(ms: number): string {
  return ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)
}

function rate(count: number, started: number): string {
  return ((count * 1000) / (performance.now() - started)).toFixed(0)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

process.exit(await main())
