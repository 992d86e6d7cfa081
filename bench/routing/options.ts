import { parseArgs } from 'node:util'
import { readArguments } from '../arguments.ts'
import { POLICIES, type Policy } from './virtual.ts'
import { GENERATORS } from './workloads.ts'

export const PARTS = ['cost', 'policies', 'processes', 'outage', 'http', 'http-processes'] as const
export type Part = (typeof PARTS)[number]

const USAGE = `Usage: npm run bench:routing -- [options]
  --part LIST          of: ${PARTS.join(', ')}; default: all, in less than 15 minutes
  --virtual            the parts in virtual time, which a busy machine does not change
  --http               the parts over HTTP, about 7 minutes with 4 engines; for a machine with nothing else to do
  --engines 4,8        engines behind the gateway; with --http: 4
  --only chat,rag      of: ${GENERATORS.join(', ')}, trace
  --trace FILE         JSON lines, gzipped or not: timestamp, input_length, output_length, hash_ids
  --policies cost      of: oracle, cost, least_load, session; over HTTP without oracle, and cost alone unless it is said
  --requests 1200      of each run in virtual time
  --seconds 25         in which requests of a run over HTTP come
  --times 4            how much faster than real time
  --cache 420000       tokens in the cache of an engine
  --gateways 1         with --virtual: gateways that share nothing
  --sticky             sessions stay at one of them
  --shared 1           they share what they know, and hear it so many milliseconds later
  --seed 1
`

const OPTIONS = {
  part: { type: 'string' },
  virtual: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  engines: { type: 'string' },
  only: { type: 'string' },
  policies: { type: 'string' },
  trace: { type: 'string' },
  requests: { type: 'string', default: '1200' },
  seconds: { type: 'string', default: '25' },
  times: { type: 'string', default: '4' },
  cache: { type: 'string', default: '420000' },
  gateways: { type: 'string', default: '1' },
  sticky: { type: 'boolean', default: false },
  shared: { type: 'string' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean', default: false },
} as const

export interface Options {
  readonly parts: readonly Part[]
  readonly engines: readonly number[]
  /** Names of workloads. */
  readonly workloads: readonly string[]
  readonly trace: string | undefined
  /** undefined: what is usual for a part. */
  readonly policies: readonly Policy[] | undefined
  readonly requests: number
  readonly seconds: number
  readonly times: number
  readonly cacheTokens: number
  readonly gateways: { readonly count: number; readonly sticky: boolean; readonly sharedAfterMs: number | undefined }
  readonly seed: number
}

/** null: what was asked is answered already, with the usage. */
export function readOptions(args: readonly string[]): Options | null {
  const values = readArguments(() => parseArgs({ args: [...args], options: OPTIONS }).values)
  if (values === null) {
    process.stderr.write(USAGE)
    process.exitCode = 2
    return null
  }
  if (values.help) {
    process.stdout.write(USAGE)
    return null
  }
  const { virtual, http, trace } = values
  const chosen = virtual ? 'policies,processes,outage' : http ? 'http,http-processes' : PARTS.join()
  const all = trace === undefined ? GENERATORS : [...GENERATORS, 'trace']
  return {
    parts: chosenOf(values.part ?? chosen, PARTS),
    engines: (values.engines ?? (http ? '4' : '4,8')).split(',').map(Number),
    workloads: chosenOf(values.only ?? all.join(), all),
    trace,
    policies: values.policies === undefined ? undefined : chosenOf(values.policies, POLICIES),
    requests: Number(values.requests),
    seconds: Number(values.seconds),
    times: Number(values.times),
    cacheTokens: Number(values.cache),
    gateways: {
      count: Number(values.gateways),
      sticky: values.sticky,
      sharedAfterMs: values.shared === undefined ? undefined : Number(values.shared),
    },
    seed: Number(values.seed),
  }
}

/** Throws an Error that names what is not among them. */
function chosenOf<T extends string>(list: string, names: readonly T[]): readonly T[] {
  return list.split(',').map(name => {
    const known = names.find(one => one === name)
    if (known === undefined) throw new Error(`There is no ${name} among ${names.join(', ')}.`)
    return known
  })
}
