/** Where `serve` gets its configuration from: a file, the demo, or the models of a running server. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SimulatedModel } from '../../simulator/options.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { missingPlugin } from '../process/plugin-loader.ts'
import type { Discovery } from '../upstream/discover.ts'
import type { ProbeResult } from '../upstream/probe/probe.ts'
import { CommandError } from './command.ts'
import { DEMO_BACKEND, demoConfig, firstSecret, newSecret, UPSTREAM_KEY_VARIABLE, upstreamConfig } from './demo.ts'

export interface ConfigSource {
  /** The file that is watched. */
  readonly file: string
  /** A key from the file that may be shown; undefined for a file of the operator. */
  readonly secret: string | undefined
  /** Reads the file again. Throws ConfigError. */
  load(): Config
  /** Finds out what the backends can do, and rewrites the file. `say` is given a line for each model. */
  readonly improve?: (say: (line: string) => void, signal: AbortSignal) => Promise<void>
  /** Closes the simulated backend of the demo. */
  close(): Promise<void>
}

export function fileSource(file: string): ConfigSource {
  return { file, secret: undefined, load: () => readConfig(file, process.env, missingPlugin), close: async () => {} }
}

/** data/demo.yaml, which is written if it does not exist, in front of a simulated backend. */
export async function demoSource(directory: string): Promise<ConfigSource> {
  const file = join(directory, 'demo.yaml')
  if (!existsSync(file)) writePrivate(file, demoConfig(newSecret()))
  const simulated = readConfig(file, process.env).models.filter(isSimulated)
  const secret = firstSecret(readFileSync(file, 'utf8'))
  if (simulated.length === 0) return { ...fileSource(file), secret }
  const { createSimulator } = await import('../../simulator/server.ts')
  const simulator = createSimulator({ models: simulated.map(simulatedModel) })
  const port = await simulator.listen(0, '127.0.0.1')
  return {
    file,
    secret,
    load: () => withSimulator(readConfig(file, process.env), `http://127.0.0.1:${port}/v1`),
    close: () => simulator.close(),
  }
}

/** Long enough for a busy server, short enough for a start at a terminal. */
const DISCOVERY_TIMEOUT_MS = 10_000

/** Of a server with more models, the others keep what is true for most. */
const MAX_PROBED = 4

/** data/upstream.yaml, rewritten with the models of the server; the key stays the same. */
export async function upstreamSource(directory: string, url: string): Promise<ConfigSource> {
  const { discoverModels, ApiKeyRequiredError, ProbeError } = await import('../upstream/discover.ts')
  const file = join(directory, 'upstream.yaml')
  const secret = (existsSync(file) ? firstSecret(readFileSync(file, 'utf8')) : undefined) ?? newSecret()
  const apiKey = process.env[UPSTREAM_KEY_VARIABLE]
  let found: Discovery
  const write = (probed?: ReadonlyMap<string, ProbeResult>): void =>
    writePrivate(file, upstreamConfig(found, secret, apiKey !== undefined, probed))
  try {
    found = await discoverModels(url, { apiKey, timeoutMs: DISCOVERY_TIMEOUT_MS })
    write()
  } catch (error) {
    if (error instanceof ApiKeyRequiredError)
      throw new CommandError(`${error.message}: put it into the environment variable ${UPSTREAM_KEY_VARIABLE}`)
    throw error instanceof ProbeError ? new CommandError(error.message) : error
  }
  const improve: ConfigSource['improve'] = async (say, signal) => {
    const { probeBackend } = await import('../upstream/probe/probe.ts')
    const probed = new Map<string, ProbeResult>()
    // To ask about a model that is not loaded would load it.
    const loaded = found.models.filter(model => model.loaded !== false)
    for (const { id: model } of loaded.slice(0, MAX_PROBED)) {
      try {
        const result = await probeBackend(url, { apiKey, model, signal, light: true })
        probed.set(model, result)
        say(`Found    ${model}: ${abilities(result)}`)
      } catch (error) {
        if (signal.aborted) return
        say(`Found    ${model}: nothing, ${(error as Error).message}`)
      }
    }
    if (probed.size > 0) write(probed)
  }
  return { ...fileSource(file), secret, improve }
}

/** What a model can do, in the words of its card. */
function abilities({ capabilities: { vision, reasoning, chat_completions } }: ProbeResult): string {
  const flags = Object.entries({ ...chat_completions, vision, reasoning: reasoning !== false })
  return flags.flatMap(([name, able]) => (able ? [name] : [])).join(', ') || 'chat alone'
}

function isSimulated({ backends }: ModelConfig): boolean {
  return backends.some(({ url }) => url === DEMO_BACKEND)
}

function simulatedModel({ id, max_model_len = 32_768, capabilities, backends }: ModelConfig): SimulatedModel {
  const { model = id } = backends.find(({ url }) => url === DEMO_BACKEND) ?? {}
  return { id: model, max_model_len, vision: capabilities.vision, reasoning: capabilities.reasoning }
}

function withSimulator(config: Config, simulator: string): Config {
  const models = config.models.map(model => ({
    ...model,
    backends: model.backends.map(backend => (backend.url === DEMO_BACKEND ? { ...backend, url: simulator } : backend)),
  }))
  return { ...config, models }
}

/** Readable by its owner only: the file holds a key. */
function writePrivate(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o600 })
  } catch {
    throw new CommandError(`${file} cannot be written: start in a writable directory, or pass --config FILE`)
  }
}
