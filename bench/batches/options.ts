import { parseArgs } from 'node:util'
import { readArguments } from '../arguments.ts'
import { SCENARIOS } from '../routing/scenarios.ts'
import type { LineShape } from './backlog.ts'

/** Not in the list by default: few full engines decide their results, with or without lines. */
const SPECIAL = ['long-answers', 'long-agents']
const NAMES = SCENARIOS.map(({ name }) => name)
const DEFAULT = NAMES.filter(name => !SPECIAL.includes(name))
const SHORT = ['chat', 'rag']

const USAGE = `Usage: npm run bench:batches -- [options]
  --only chat,rag    of: ${NAMES.join(', ')}; default: all but ${SPECIAL.join(', ')}
  --part virtual     virtual or http; default: both
  --short            ${SHORT.join(' and ')} at 60 %, in half a minute, and a minute over HTTP
  --loads 30,60,80   percent of the rate that the engines carry
  --seeds 8          draws of the interactive requests; the slowest of one draw are a matter of luck
  --requests 1200    interactive requests of a run
  --growth 0.05,0.2  values of batches.growth; goals are checked for the first one
  --share 0.2        batches.max_cache_share
  --slots 32         batches.slots
  --prompt 1500      tokens of the prompt of a line
  --equal 1000       of them, those that all lines have in common
  --answer 300       tokens of the answer of a line
Over HTTP, the workload and the number of requests follow from these:
  --engines 4        engines
  --seconds 20       of a run, three for each load; default with --short: 10
  --whole            interactive requests are not streamed. Their first tokens are those of the engines.
`

const OPTIONS = {
  only: { type: 'string' },
  part: { type: 'string' },
  short: { type: 'boolean', default: false },
  loads: { type: 'string' },
  seeds: { type: 'string', default: '8' },
  requests: { type: 'string', default: '1200' },
  growth: { type: 'string' },
  share: { type: 'string', default: '0.2' },
  slots: { type: 'string', default: '32' },
  prompt: { type: 'string', default: '1500' },
  equal: { type: 'string', default: '1000' },
  answer: { type: 'string', default: '300' },
  engines: { type: 'string', default: '4' },
  seconds: { type: 'string' },
  whole: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const PARTS = ['virtual', 'http'] as const
type Part = (typeof PARTS)[number]

export interface Options {
  readonly parts: readonly Part[]
  readonly workloads: readonly string[]
  /** Percent. */
  readonly loads: readonly number[]
  readonly seeds: readonly number[]
  readonly requests: number
  readonly growths: readonly number[]
  readonly cacheShare: number
  readonly slots: number
  readonly line: LineShape
  readonly httpEngines: number
  /** Of a run over HTTP. */
  readonly seconds: number
  /** Interactive requests over HTTP are not streamed. */
  readonly isWhole: boolean
}

/** null: the usage has been printed, on request or because of an error. */
export function readOptions(args: readonly string[]): Options | null {
  const values = readArguments(() => parseArgs({ args: [...args], options: OPTIONS }).values)
  if (values === null || values.help) {
    ;(values === null ? process.stderr : process.stdout).write(USAGE)
    if (values === null) process.exitCode = 2
    return null
  }
  const { only, part, short, loads, growth } = values
  return {
    parts: part === undefined ? PARTS : namesOf(part, PARTS),
    workloads: only === undefined ? (short ? SHORT : DEFAULT) : namesOf(only, NAMES),
    loads: (loads ?? (short ? '60' : '30,60,80')).split(',').map(Number),
    seeds: Array.from({ length: Number(values.seeds) }, (_, i) => i + 1),
    requests: Number(values.requests),
    growths: (growth ?? (short ? '0.05' : '0.05,0.2')).split(',').map(Number),
    cacheShare: Number(values.share),
    slots: Number(values.slots),
    line: {
      promptTokens: Number(values.prompt),
      equalTokens: Math.min(Number(values.equal), Number(values.prompt)),
      answerTokens: Number(values.answer),
    },
    httpEngines: Number(values.engines),
    seconds: Number(values.seconds ?? (short ? 10 : 20)),
    isWhole: values.whole,
  }
}

/** Throws an Error for an unknown name. */
function namesOf<T extends string>(list: string, all: readonly T[]): readonly T[] {
  return list.split(',').map(name => {
    const known = all.find(one => one === name)
    if (known === undefined) throw new Error(`There is no ${name} among ${all.join(', ')}.`)
    return known
  })
}
