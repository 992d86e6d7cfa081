/** `npm run bench`: the cost of the gateway compared with a bare http-proxy-3 in the same run (docs/BENCHMARKS.md). */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readArguments } from './arguments.ts'
import type { Bench, Section } from './bench.ts'
import { Helper } from './helper.ts'
import { findNginx, installPortkey, type Peer } from './peers.ts'
import { HELPER_CORE, machineCpuMs, ownCpuMs, Pinned } from './processes.ts'
import { type ReportedRow, table } from './report.ts'
import { bodies, disturbance } from './sections/bodies.ts'
import { flat } from './sections/flat.ts'
import { idle, memory } from './sections/idle.ts'
import { records } from './sections/records.ts'
import { embeddings, requests } from './sections/requests.ts'
import { scaling } from './sections/scaling.ts'
import { first, start } from './sections/start.ts'
import { crowd, streams } from './sections/streams.ts'

const SECTIONS: Readonly<Record<string, Section>> = {
  ...{ requests, embeddings, first, flat, streams, crowd, bodies, disturbance, start, idle, memory, records, scaling },
}

/** What `--quick` measures: enough to compare a machine with docs/BENCHMARKS.md. */
const QUICK = ['requests', 'flat']

const USAGE = `Usage: npm run bench -- [OPTION]…

  --only SECTION,…  some of: ${Object.keys(SECTIONS).join(', ')}
  --quick           measure less, by default only ${QUICK.join(', ')}: about a minute, rough figures
  --no-portkey      do not install @portkey-ai/gateway to compare with
  --json            every measurement as JSON
  --profile DIR     write CPU profiles of the gateway into this folder
`

async function main(): Promise<number> {
  const parsed = readArguments(() =>
    parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        portkey: { type: 'boolean', default: true },
        json: { type: 'boolean', default: false },
        profile: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
      allowNegative: true,
    }),
  )
  if (parsed === null) return 2
  const { values } = parsed
  const names = values.only?.split(',') ?? (values.quick ? QUICK : Object.keys(SECTIONS))
  const unknown = names.find(name => !Object.hasOwn(SECTIONS, name))
  if (values.help || unknown !== undefined) {
    process.stderr.write(unknown === undefined ? USAGE : `There is no section '${unknown}'.\n\n${USAGE}`)
    return values.help ? 0 : 2
  }
  if (process.platform !== 'linux' || os.availableParallelism() < 2) {
    process.stderr.write('The benchmark needs Linux (for /proc and taskset) and two cores.\n')
    return 1
  }
  const dir = mkdtempSync(join(os.tmpdir(), 'sluiceway-bench-'))
  try {
    const bench = await prepare(dir, { ...values, portkey: values.portkey && !values.quick })
    const rows: ReportedRow[] = []
    for (const name of names) rows.push(...(await measure(bench, name)))
    const machine = `Node ${process.version}, ${os.cpus()[0]!.model.trim()}, Linux ${os.release()}`
    process.stdout.write(values.json ? `${JSON.stringify({ machine, rows })}\n` : `\n${machine}\n\n${table(rows)}\n`)
    if (rows.some(({ disturbed }) => disturbed)) process.stderr.write(DISTURBED)
    return 0
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Share of the machine that other programs took while a section ran, above which its rows are marked. */
const DISTURBANCE = 0.05

const DISTURBED = `\n~ other programs took more than ${DISTURBANCE * 100} % of the machine meanwhile\n`

async function measure(bench: Bench, name: string): Promise<readonly ReportedRow[]> {
  bench.say(`${name} …`)
  const others = () => machineCpuMs() - ownCpuMs()
  const [before, started] = [others(), performance.now()]
  const rows = await SECTIONS[name]!(bench)
  const share = (others() - before) / ((performance.now() - started) * os.availableParallelism())
  return rows.map(row => ({ ...row, disturbed: share > DISTURBANCE }))
}

interface PrepareOptions {
  readonly quick: boolean
  readonly portkey: boolean
  readonly profile?: string | undefined
}

async function prepare(dir: string, { quick, portkey, profile }: PrepareOptions): Promise<Bench> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const backend = helper('backend.ts')
  const peers: Peer[] = []
  if (portkey) {
    if (installPortkey()) peers.push('portkey')
    else say('@portkey-ai/gateway cannot be installed: left out')
  }
  if (!quick) {
    if (findNginx() !== undefined) peers.push('nginx')
    else say('nginx is not installed: left out')
  }
  return {
    site: { dir, backendPort: await backend.ask('port'), profile: profile ?? null },
    backend,
    load: helper('load.ts'),
    load2: helper('load.ts'),
    quick,
    peers,
    say,
  }
}

function helper(file: string): Helper {
  return new Helper(new Pinned([fileURLToPath(new URL(file, import.meta.url))], { core: HELPER_CORE, ipc: true }))
}

process.exit(await main())
