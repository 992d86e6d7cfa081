// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration names a variable in this way
/** `sluiceway probe`: prints what a running server supports, as configuration. */
import { stringify } from 'yaml'
import { ApiKeyRequiredError, ProbeError } from '../engines/probe/discover.ts'
import { type ProbeResult, probeBackend } from '../engines/probe/probe.ts'
import { CommandError, readArguments, UsageError } from './command.ts'
import { foundCapabilities, profileDifferences } from './found.ts'

export const usage = `Usage: sluiceway probe URL [OPTION]…

Finds out what a running OpenAI-compatible server supports, with about fifty requests of a few tokens each, and prints
configuration to copy under \`models:\`. The version prefix of the URL is optional.

Options:
  --model ID      the model to test (default: the first that the server lists)
  --api-key KEY   API key of the server
  --timeout S     seconds to wait for each response (default: 30)
  --help          print this
`

const OPTIONS = {
  model: { type: 'string' },
  'api-key': { type: 'string' },
  timeout: { type: 'string' },
} as const

export async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const [url] = positionals
  if (url === undefined) throw new UsageError('URL is needed')
  const { model, 'api-key': apiKey } = values
  try {
    const onStep = (subject: string): void => void process.stderr.write(`testing ${subject} …\n`)
    const result = await probeBackend(url, { model, apiKey, timeoutMs: timeoutOf(values.timeout), onStep })
    process.stdout.write(configText(result, apiKey !== undefined))
    return 0
  } catch (error) {
    if (error instanceof ApiKeyRequiredError) throw new CommandError(`${error.message}: pass it with --api-key KEY`)
    if (error instanceof ProbeError) throw new CommandError(error.message)
    throw error
  }
}

/** The `models:` entry. `profile:` holds only the differences from the engine's named profile. */
export function configText(result: ProbeResult, withKey: boolean): string {
  const { url, model, engine, maxModelLen } = result
  const id = modelId(model)
  const profile = profileDifferences(result)
  const entry = {
    id,
    ...(maxModelLen !== undefined && { max_model_len: maxModelLen }),
    capabilities: foundCapabilities(result),
    backends: [
      {
        url,
        ...(id !== model && { model }),
        engine,
        ...(Object.keys(profile).length > 0 && { profile }),
        ...(withKey && { api_key: '${BACKEND_API_KEY}' }),
      },
    ],
  }
  return `${comments(result)
    .map(line => `# ${line}\n`)
    .join('')}${stringify({ models: [entry] }, { lineWidth: 0 })}`
}

function comments({ url, model, models, engine, engineVersion, notes, requests }: ProbeResult): string[] {
  const others = models.filter(id => id !== model)
  const version = engineVersion === undefined ? '' : ` ${engineVersion}`
  return [
    `${url}: ${engine}${version}, tested with ${requests} requests.`,
    ...(others.length > 0 ? [`It also serves: ${others.join(', ')} (--model ID tests one of them).`] : []),
    ...notes,
  ].map(line => line.replaceAll(/\s+/g, ' '))
}

/** llama.cpp may name a model after the path of its file, which is not usable as a model id. */
function modelId(model: string): string {
  const name = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/.test(model) ? model : (model.split(/[/\\]/).at(-1) ?? '')
  return (
    name
      .replaceAll(/[^A-Za-z0-9._:/@+-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 200) || 'model'
  )
}

function timeoutOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (seconds < 1) throw new UsageError('--timeout must be a whole number of seconds, at least 1')
  return seconds * 1000
}
