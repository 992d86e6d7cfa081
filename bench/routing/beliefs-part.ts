/** What the gateway learns of engines as measured on a GPU, beside what is true of them. */
import type { ModelRouting } from '../../lib/routing/model-routing.ts'
import { type NamedGoal, writeGoals } from './named-goals.ts'
import type { Options } from './options.ts'
import { PROFILES } from './profiles.ts'
import { SCENARIOS, type Scenario, Traffic } from './scenarios.ts'
import { spread } from './spread.ts'
import { cells, write } from './table.ts'

/** Requests per second of documents, below the capacity. */
const RAG_RATE = 20
/** Requests per second of chats, above the capacity. */
const OVERLOAD_RATE = 40
const SECOND_MS = 1000

/** What the gateway believes at one time. */
interface Believed {
  /** Tokens per second at the start of a prompt, of each backend. */
  readonly rates: readonly number[]
  readonly stepMs: number
}

function believed(routing: ModelRouting): Believed {
  const all = routing.learnt().map(({ learnt }) => learnt)
  return {
    rates: all.map(({ prefillTokensPerSecond }) => prefillTokensPerSecond.value),
    stepMs: all[0]?.decodeStepMs.value ?? Number.NaN,
  }
}

export function beliefs({ seeds }: Options): void {
  write('\n## What the gateway learns of four engines as measured on a GPU\n')
  cells(['belief', 'true', 'believed'])
  cells(['-', '-:', '-:'])
  const { overheadMs, weightsMs, tokenMs, stepTokens } = PROFILES['h200-quarter'].speed
  const trueRate = (1000 * stepTokens) / (overheadMs + stepTokens * tokenMs)
  const trueStep = overheadMs + weightsMs
  const rag = seeds.map(seed => ofDocuments(seed))
  const overload = seeds.map(seed => stepInOverload(seed))
  const rates = rag.flatMap(one => one.rates)
  cells(['documents after 30 s: tokens/s of each engine', trueRate.toFixed(0), spread(rates, 0)])
  const predicted = rag.map(one => one.predicted)
  cells(['documents: predicted ÷ measured', '1', spread(predicted, 2)])
  cells(['chats after 20 s of overload: step, ms', trueStep.toFixed(0), spread(overload, 1)])
  const goals: NamedGoal[] = [
    { name: 'rate ÷ true, lowest', value: Math.min(...rates) / trueRate, atLeast: 0.6 },
    { name: 'rate ÷ true, highest', value: Math.max(...rates) / trueRate, atMost: 1.5 },
    {
      name: 'rates of equal engines, highest ÷ lowest',
      value: Math.max(...rag.map(one => Math.max(...one.rates) / Math.min(...one.rates))),
      atMost: 1.25,
    },
    { name: 'step after overload ÷ true', value: Math.max(...overload) / trueStep, atMost: 2 },
    { name: 'predicted ÷ measured, lowest', value: Math.min(...predicted), atLeast: 0.65 },
    { name: 'predicted ÷ measured, highest', value: Math.max(...predicted), atMost: 1.5 },
  ]
  writeGoals(goals)
}

function ofDocuments(seed: number): { readonly rates: readonly number[]; readonly predicted: number } {
  const traffic = new Traffic(scenarioOf('rig-rag'), 30 * RAG_RATE, seed)
  let rates: readonly number[] = []
  const call = (routing: ModelRouting) => {
    rates = believed(routing).rates
  }
  const { predicted } = traffic.run({
    policy: 'cost',
    rate: RAG_RATE,
    probes: [{ at: traffic.countedFrom(RAG_RATE) + 28 * SECOND_MS, call }],
  })
  return { rates, predicted: predicted ?? Number.NaN }
}

/** Chats below the capacity, and then 20 s of chats above it, at the same gateway. */
function stepInOverload(seed: number): number {
  const traffic = new Traffic(scenarioOf('rig-chat'), 20 * OVERLOAD_RATE, seed)
  let stepMs = 0
  const call = (routing: ModelRouting) => {
    stepMs = believed(routing).stepMs
  }
  // The warm-up is below the capacity.
  const at = traffic.countedFrom(OVERLOAD_RATE) + 20 * SECOND_MS
  traffic.run({ policy: 'cost', rate: OVERLOAD_RATE, probes: [{ at, call }] })
  return stepMs
}

function scenarioOf(name: string): Scenario {
  return SCENARIOS.find(scenario => scenario.name === name)!
}
