import { parseArgs } from 'node:util'
import { readArguments } from '../arguments.ts'
import { POLICIES, type Policy } from './policies/index.ts'
import { SCENARIOS } from './scenarios.ts'
import { GENERATORS } from './workloads.ts'

export const PARTS = [
  'cost',
  'policies',
  'loads',
  'rig',
  'beliefs',
  'disturbed',
  'processes',
  'outage',
  'http',
  'http-processes',
  'http-prompts',
] as const
export type Part = (typeof PARTS)[number]
const VIRTUAL: readonly Part[] = ['policies', 'loads', 'rig', 'beliefs', 'disturbed', 'processes', 'outage']
const WORKLOADS = [...new Set([...GENERATORS, ...SCENARIOS.map(({ name }) => name)])]

const USAGE = `Usage: npm run bench:routing -- [options]
  --part LIST          of: ${PARTS.join(', ')}; default: all, in about 20 minutes
  --virtual            the parts in virtual time, whose results do not depend on the machine
  --http               the parts over HTTP, about 8 minutes with 4 engines; needs a quiet machine
  --engines 4,8        engines behind the gateway; with --http: 4
  --only chat,rag      of: ${WORKLOADS.join(', ')}, trace
  --trace FILE         JSON lines, gzipped or not: timestamp, input_length, output_length, hash_ids
  --policies cost      of: ${POLICIES.join(', ')}; over HTTP: cost, least_load, session
  --requests 1200      per run in virtual time
  --seconds 25         of load in a run over HTTP
  --times 4            factor by which time is compressed
  --cache 420000       tokens in the cache of an engine
  --gateways 1         with --virtual: number of gateways that do not share
  --sticky             sends all requests of a session to the same gateway
  --shared 1           gateways share what they learn; milliseconds until a message reaches the others
  --seed 1             of the parts policies, processes, outage and over HTTP
  --seeds 1            draws of the parts loads, rig, beliefs and disturbed: 5 for the first five, or 101-105
  --loads 50,80,95,105 percent of the capacity
  --rate N             requests per second that count as the capacity; default: it is searched
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
  seeds: { type: 'string', default: '1' },
  loads: { type: 'string', default: '50,80,95,105' },
  rate: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export interface Options {
  readonly parts: readonly Part[]
  readonly engines: readonly number[]
  /** Names of workloads. */
  readonly workloads: readonly string[]
  readonly trace: string | undefined
  /** undefined: the default of each part. */
  readonly policies: readonly Policy[] | undefined
  readonly requests: number
  readonly seconds: number
  readonly times: number
  readonly cacheTokens: number
  readonly gateways: { readonly count: number; readonly sticky: boolean; readonly sharedAfterMs: number | undefined }
  readonly seed: number
  readonly seeds: readonly number[]
  /** Percent of the capacity. */
  readonly loads: readonly number[]
  /** Requests per second; undefined: the capacity is searched. */
  readonly rate: number | undefined
}

/** null: the usage has been printed, on request or because of an error. */
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
  const chosen = virtual ? VIRTUAL.join() : http ? 'http,http-processes,http-prompts' : PARTS.join()
  const all = trace === undefined ? WORKLOADS : [...WORKLOADS, 'trace']
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
    seeds: seedsOf(values.seeds),
    loads: values.loads.split(',').map(Number),
    rate: values.rate === undefined ? undefined : Number(values.rate),
  }
}

/** A number of draws, or the first and the last of them. */
function seedsOf(text: string): readonly number[] {
  const [first, last] = text.includes('-') ? text.split('-').map(Number) : [1, Number(text)]
  return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i)
}

/** Parses a list of these names. Throws an Error for an unknown name. */
function chosenOf<T extends string>(list: string, names: readonly T[]): readonly T[] {
  return list.split(',').map(name => {
    const known = names.find(one => one === name)
    if (known === undefined) throw new Error(`There is no ${name} among ${names.join(', ')}.`)
    return known
  })
}
