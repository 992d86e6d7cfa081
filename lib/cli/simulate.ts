/** `sluiceway simulate`: runs the simulated backend as a server of its own. */
import { SIMULATED_ENGINES, type SimulatedEngine } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/server.ts'
import { shellQuoted } from '../text/quoted.ts'
import { CommandError, portOf, readArguments, UsageError } from './command.ts'
import { urlOf } from './output.ts'

export const usage = `Usage: sluiceway simulate [OPTION]…

Runs a server that imitates an inference engine. docs/SIMULATOR.md describes its replies, and the prompts that cause
failures.

Options:
  --port N               port to listen on; 0 for any free port (8000)
  --host HOST            address to listen on (127.0.0.1)
  --model ID             a model to serve; repeat for more (simulated)
  --max-model-len N      context window of the models in tokens (32768)
  --engine NAME          engine to imitate: ${SIMULATED_ENGINES.join(', ')} (vllm)
  --tokens-per-second N  speed of each stream; 0: as fast as the client reads (50)
  --first-token-ms N     time to the first token (100)
  --answer-tokens N      length of a reply that nothing else limits (48)
  --max-concurrency N    requests that run at the same time (no limit)
  --max-queue N          requests that may wait beyond these (no limit)
  --api-key KEY          require this API key
  --help                 print this
`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  model: { type: 'string', multiple: true },
  'max-model-len': { type: 'string' },
  engine: { type: 'string' },
  'tokens-per-second': { type: 'string' },
  'first-token-ms': { type: 'string' },
  'answer-tokens': { type: 'string' },
  'max-concurrency': { type: 'string' },
  'max-queue': { type: 'string' },
  'api-key': { type: 'string' },
} as const

/** Runs until SIGINT or SIGTERM. */
export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const { host = '127.0.0.1', 'api-key': apiKey } = values
  const models = values.model ?? ['simulated']
  const window = numberOf(values['max-model-len'], '--max-model-len', 1)
  const simulator = createSimulator({
    models: models.map(id => ({ id, max_model_len: window })),
    engine: engineOf(values.engine),
    tokens_per_second: numberOf(values['tokens-per-second'], '--tokens-per-second', 0),
    first_token_ms: numberOf(values['first-token-ms'], '--first-token-ms', 0),
    answer_tokens: numberOf(values['answer-tokens'], '--answer-tokens', 1),
    max_concurrency: numberOf(values['max-concurrency'], '--max-concurrency', 1),
    max_queue: numberOf(values['max-queue'], '--max-queue', 0),
    api_key: apiKey,
  })
  const port = await listen(simulator, portOf(values.port, '--port') ?? 8000, host)
  const stopped = new Promise<void>(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  process.stdout.write(greeting(`${urlOf({ host, port })}/v1`, models, apiKey))
  await stopped
  await simulator.close()
  return 0
}

async function listen(simulator: Simulator, port: number, host: string): Promise<number> {
  try {
    return await simulator.listen(port, host)
  } catch (error) {
    const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (isInUse) throw new CommandError(`port ${port} is in use: choose another with --port`)
    throw error
  }
}

function greeting(base: string, models: readonly string[], apiKey: string | undefined): string {
  const body = JSON.stringify({ model: models[0]!, messages: [{ role: 'user', content: 'Hello!' }], stream: true })
  const key = apiKey === undefined ? '' : ` -H ${shellQuoted(`Authorization: Bearer ${apiKey}`)}`
  return `Simulated backend  ${base}
Models             ${models.join(', ')}

Try it:

curl -sN ${base}/chat/completions -H 'Content-Type: application/json'${key} -d ${shellQuoted(body)}

Ctrl-C stops it.
`
}

function engineOf(value: string | undefined): SimulatedEngine {
  const engine = SIMULATED_ENGINES.find(name => name === (value ?? 'vllm'))
  if (engine === undefined) throw new UsageError(`--engine must be one of ${SIMULATED_ENGINES.join(', ')}`)
  return engine
}

function numberOf(value: string | undefined, option: string, min: number): number | undefined {
  if (value === undefined) return undefined
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min)) throw new UsageError(`${option} must be a whole number of at least ${min}`)
  return number
}
