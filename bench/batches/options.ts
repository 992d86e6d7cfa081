import { parseArgs } from 'node:util'
import { readArguments } from '../arguments.ts'
import { SCENARIOS } from '../routing/scenarios.ts'
import type { LineShape } from './backlog.ts'

/** Not in the list by default: few full engines decide their results, with or without lines. */
const SPECIAL = ['agent', 'long-answers', 'long-agents']
const NAMES = SCENARIOS.map(({ name }) => name)
const DEFAULT = NAMES.filter(name => !SPECIAL.includes(name))
const SHORT = ['chat', 'rag']

const USAGE = `Usage: npm run bench:batches -- [options]
  --only chat,rag    of: ${NAMES.join(', ')}; default: all but ${SPECIAL.join(', ')}
  --short            ${SHORT.join(' and ')} at 60 %, in half a minute
  --loads 30,60,80   percent of the rate that the engines carry
  --seeds 5          draws of the interactive requests; the slowest of one draw are a matter of luck
  --requests 1200    interactive requests of a run
  --growth 0.05,0.2  values of batches.growth; goals are checked for the first one
  --share 0.2        batches.max_cache_share
  --slots 32         batches.slots
  --prompt 1500      tokens of the prompt of a line
  --equal 1000       of them, those that all lines have in common
  --answer 300       tokens of the answer of a line
`

const OPTIONS = {
  only: { type: 'string' },
  short: { type: 'boolean', default: false },
  loads: { type: 'string' },
  seeds: { type: 'string', default: '5' },
  requests: { type: 'string', default: '1200' },
  growth: { type: 'string' },
  share: { type: 'string', default: '0.2' },
  slots: { type: 'string', default: '32' },
  prompt: { type: 'string', default: '1500' },
  equal: { type: 'string', default: '1000' },
  answer: { type: 'string', default: '300' },
  help: { type: 'boolean', default: false },
} as const

export interface Options {
  readonly workloads: readonly string[]
  /** Percent. */
  readonly loads: readonly number[]
  readonly seeds: readonly number[]
  readonly requests: number
  readonly growths: readonly number[]
  readonly cacheShare: number
  readonly slots: number
  readonly line: LineShape
}

/** null: the usage has been printed, on request or because of an error. */
export function readOptions(args: readonly string[]): Options | null {
  const values = readArguments(() => parseArgs({ args: [...args], options: OPTIONS }).values)
  if (values === null || values.help) {
    ;(values === null ? process.stderr : process.stdout).write(USAGE)
    if (values === null) process.exitCode = 2
    return null
  }
  const { only, short, loads, growth } = values
  return {
    workloads: only === undefined ? (short ? SHORT : DEFAULT) : namesOf(only),
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
  }
}

/** Throws an Error for an unknown name. */
function namesOf(list: string): readonly string[] {
  return list.split(',').map(name => {
    if (!NAMES.includes(name)) throw new Error(`There is no ${name} among ${NAMES.join(', ')}.`)
    return name
  })
}
