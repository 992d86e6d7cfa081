/** The sources of the configuration of `serve`: a file, the demo, or the models of a running server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SimulatedModel } from '../../simulator/options.ts'
import { makeDirectory } from '../base/make-directory.ts'
import type { Config, ModelConfig } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import type { Discovery } from '../engines/probe/discover.ts'
import type { ProbeResult } from '../engines/probe/probe.ts'
import { missingPlugin } from '../process/plugin-loader.ts'
import { CommandError, UsageError } from './command.ts'
import {
  DEMO_BACKENDS,
  demoConfig,
  newSecret,
  secretsOf,
  UPSTREAM_KEY_VARIABLE,
  upstreamConfig,
} from './config-text.ts'

export interface ConfigSource {
  /** The file that `serve` watches. */
  readonly file: string
  /** The keys of the file, which may be used and shown; empty for a file of the operator. */
  readonly secrets: readonly string[]
  /** Reads the file again. Throws ConfigError. */
  load(): Config
  /** Probes the backends, and rewrites the file. `say` is called with a line for each model. */
  readonly improve?: (say: (line: string) => void, signal: AbortSignal) => Promise<void>
  close(): Promise<void>
}

export function fileSource(file: string): ConfigSource {
  return { file, secrets: [], load: () => readConfig(file, process.env, missingPlugin), close: async () => {} }
}

/** The demo: the file demo.yaml, written if it does not exist, in front of simulated backends. */
export async function demoSource(directory: string): Promise<ConfigSource> {
  const file = join(directory, 'demo.yaml')
  if (!existsSync(file)) writePrivate(file, demoConfig(newSecret()))
  const { models } = readConfig(file, process.env)
  const secrets = secretsOf(readFileSync(file, 'utf8'))
  const { createSimulator } = await import('../../simulator/server.ts')
  const simulators = DEMO_BACKENDS.flatMap(url => {
    const simulated = models.flatMap(model => simulatedModel(model, url) ?? [])
    return simulated.length === 0 ? [] : [{ url, simulator: createSimulator({ models: simulated }) }]
  })
  const addresses = new Map<string, string>()
  for (const { url, simulator } of simulators)
    addresses.set(url, `http://127.0.0.1:${await simulator.listen(0, '127.0.0.1')}/v1`)
  return {
    file,
    secrets,
    load: () => withSimulators(readConfig(file, process.env), addresses),
    close: async () => {
      await Promise.all(simulators.map(({ simulator }) => simulator.close()))
    },
  }
}

/** A compromise between a busy server and a person who waits at a terminal. */
const DISCOVERY_TIMEOUT_MS = 10_000

/** Maximum number of models that are probed. The others keep default capabilities. */
const MAX_PROBED = 4

/** The file upstream.yaml, rewritten with the models of the server; the key in it is kept. */
export async function upstreamSource(directory: string, url: string): Promise<ConfigSource> {
  const { discoverModels, AddressError, ApiKeyRequiredError, ProbeError } = await import('../engines/probe/discover.ts')
  const file = join(directory, 'upstream.yaml')
  const secret = (existsSync(file) ? secretsOf(readFileSync(file, 'utf8'))[0] : undefined) ?? newSecret()
  const apiKey = process.env[UPSTREAM_KEY_VARIABLE]
  let discovery: Discovery
  const write = (probed?: ReadonlyMap<string, ProbeResult>): void =>
    writePrivate(file, upstreamConfig(discovery, secret, apiKey !== undefined, probed))
  try {
    discovery = await discoverModels(url, { apiKey, timeoutMs: DISCOVERY_TIMEOUT_MS })
    write()
  } catch (error) {
    if (error instanceof ApiKeyRequiredError)
      throw new CommandError(`${error.message}: put it into the environment variable ${UPSTREAM_KEY_VARIABLE}`)
    if (error instanceof AddressError) throw new UsageError(`--upstream ${error.message}`)
    throw error instanceof ProbeError ? new CommandError(error.message) : error
  }
  const improve: ConfigSource['improve'] = async (say, signal) => {
    const { probeBackend } = await import('../engines/probe/probe.ts')
    const probed = new Map<string, ProbeResult>()
    // A probe request would load a model that is not loaded.
    const loaded = discovery.models.filter(model => model.loaded !== false)
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
  return { ...fileSource(file), secrets: [secret], improve }
}

/** The capabilities of a model, by their names in the model card. */
function abilities({ capabilities: { vision, reasoning, chat_completions } }: ProbeResult): string {
  const flags = Object.entries({ ...chat_completions, vision, reasoning: reasoning !== false })
  return flags.flatMap(([name, able]) => (able ? [name] : [])).join(', ') || 'chat alone'
}

/** The model as the simulated backend at this address serves it; undefined: the backend does not serve it. */
function simulatedModel(
  { id, max_model_len = 32_768, capabilities, backends }: ModelConfig,
  address: string,
): SimulatedModel | undefined {
  const backend = backends.find(({ url }) => url === address)
  if (backend === undefined) return undefined
  const { vision, reasoning } = capabilities
  return { id: backend.model ?? id, max_model_len, vision, reasoning }
}

/** Replaces the addresses of backends. `addresses`: those of simulated backends, by those in the file. */
function withSimulators(config: Config, addresses: ReadonlyMap<string, string>): Config {
  const models = config.models.map(model => ({
    ...model,
    backends: model.backends.map(backend => ({ ...backend, url: addresses.get(backend.url) ?? backend.url })),
  }))
  return { ...config, models }
}

/** Writes a file that only its owner can read, because it contains a key. */
function writePrivate(file: string, text: string): void {
  try {
    makeDirectory(dirname(file))
    writeFileSync(file, text, { mode: 0o600 })
  } catch {
    throw new CommandError(`${file} cannot be written: start in a writable directory, or pass --config FILE`)
  }
}
