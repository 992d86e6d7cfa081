/** `npm run bench`: the cost of the gateway compared with a bare http-proxy-3 in the same run (docs/BENCHMARKS.md). */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readArguments } from './arguments.ts'
import type { Bench, Row, Section } from './bench.ts'
import { Helper } from './helper.ts'
import { HELPER_CORE, Pinned } from './processes.ts'
import { table } from './report.ts'
import { bodies } from './sections/bodies.ts'
import { flat } from './sections/flat.ts'
import { records } from './sections/records.ts'
import { requests } from './sections/requests.ts'
import { scaling } from './sections/scaling.ts'
import { start } from './sections/start.ts'
import { streams } from './sections/streams.ts'
import { installPortkey } from './targets.ts'

const SECTIONS: Readonly<Record<string, Section>> = { requests, flat, streams, bodies, start, records, scaling }

const USAGE = `Usage: npm run bench -- [OPTION]…

  --only SECTION,…  some of: ${Object.keys(SECTIONS).join(', ')}
  --quick           measure less: under 40 seconds, rough figures
  --no-portkey      do not install @portkey-ai/gateway to compare with
  --json            results as JSON
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
  const names = values.only?.split(',') ?? Object.keys(SECTIONS)
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
    const rows: Row[] = []
    for (const name of names) {
      bench.say(`${name} …`)
      rows.push(...(await SECTIONS[name]!(bench)))
    }
    const machine = `Node ${process.version}, ${os.cpus()[0]!.model.trim()}, Linux ${os.release()}`
    process.stdout.write(values.json ? `${JSON.stringify({ machine, rows })}\n` : `\n${machine}\n\n${table(rows)}\n`)
    return 0
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface PrepareOptions {
  readonly quick: boolean
  readonly portkey: boolean
  readonly profile?: string | undefined
}

async function prepare(dir: string, { quick, portkey, profile }: PrepareOptions): Promise<Bench> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const backend = helper('backend.ts')
  const installed = portkey && installPortkey(dir)
  if (portkey && !installed) say('@portkey-ai/gateway could not be installed: its column stays empty')
  return {
    site: { dir, backendPort: await backend.ask('port'), profile: profile ?? null },
    backend,
    load: helper('load.ts'),
    load2: helper('load.ts'),
    quick,
    portkey: installed,
    say,
  }
}

function helper(file: string): Helper {
  return new Helper(new Pinned([fileURLToPath(new URL(file, import.meta.url))], { core: HELPER_CORE, ipc: true }))
}

process.exit(await main())
