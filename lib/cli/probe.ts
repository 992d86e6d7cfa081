/** `sluiceway probe`: prints what a running server supports, as configuration. */
import { ApiKeyRequiredError, ProbeError } from '../engines/probe/discover.ts'
import { probeBackend } from '../engines/probe/probe.ts'
import { CommandError, readArguments, UsageError } from './command.ts'
import { probedConfig } from './config-text.ts'

export const usage = `Usage: sluiceway probe URL [OPTION]…

Tests what a running OpenAI-compatible server supports, with about fifty requests of a few tokens each, and prints
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
    process.stdout.write(probedConfig(result, apiKey !== undefined))
    return 0
  } catch (error) {
    if (error instanceof ApiKeyRequiredError) throw new CommandError(`${error.message}: pass it with --api-key KEY`)
    if (error instanceof ProbeError) throw new CommandError(error.message)
    throw error
  }
}

function timeoutOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (seconds < 1) throw new UsageError('--timeout must be a whole number of seconds, at least 1')
  return seconds * 1000
}
