/** `sluiceway probe`: prints what a running server supports, as configuration. */
import { readFileSync } from 'node:fs'
import { AddressError, ApiKeyRequiredError, ProbeError } from '../engines/probe/discover.ts'
import { probeBackend } from '../engines/probe/probe.ts'
import type { Egress } from '../transport/egress.ts'
import { CommandError, readArguments, UsageError } from './command.ts'
import { probedConfig } from './config-text.ts'

export const usage = `Usage: sluiceway probe URL [OPTION]…

Tests what a running OpenAI-compatible server supports, with about fifty requests of a few tokens each, and prints
configuration to copy under \`models:\`. The version prefix of the URL is optional.

Options:
  --model ID      the model to test (default: the first that the server lists)
  --api-key KEY   API key of the server
  --timeout S     seconds to wait for each response (default: 30)
  --proxy URL     HTTP proxy in front of the server: http://HOST:PORT
  --ca FILE       authorities of the server's certificate, as PEM
  --cert FILE, --key FILE
                  client certificate and its key, as PEM
  --servername NAME
                  name in the server's certificate (default: the host of the URL)
  --help          print this
`

const OPTIONS = {
  model: { type: 'string' },
  'api-key': { type: 'string' },
  timeout: { type: 'string' },
  proxy: { type: 'string' },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  servername: { type: 'string' },
} as const

export async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const [url] = positionals
  if (url === undefined) throw new UsageError('URL is needed')
  const { model, 'api-key': apiKey } = values
  try {
    const onStep = (subject: string): void => void process.stderr.write(`testing ${subject} …\n`)
    const options = { model, apiKey, egress: egressOf(values), timeoutMs: timeoutOf(values.timeout), onStep }
    const result = await probeBackend(url, options)
    process.stdout.write(probedConfig(result, apiKey !== undefined))
    return 0
  } catch (error) {
    if (error instanceof ApiKeyRequiredError) throw new CommandError(`${error.message}: pass it with --api-key KEY`)
    if (error instanceof AddressError) throw new UsageError(error.message)
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

type EgressValues = { readonly [N in 'proxy' | 'ca' | 'cert' | 'key' | 'servername']?: string | undefined }

/** The options that are `tls` and `proxy` of a backend in the configuration. */
function egressOf({ proxy, servername, ca, cert, key }: EgressValues): Egress {
  if (proxy !== undefined && URL.parse(proxy)?.protocol !== 'http:')
    throw new UsageError('--proxy must be a URL such as http://proxy:3128')
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key go together')
  const read = Object.entries({ ca, cert, key }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, textOf(name, path)]],
  )
  const tls = { ...Object.fromEntries(read), ...(servername === undefined ? null : { servername }) }
  return { ...(Object.keys(tls).length > 0 && { tls }), ...(proxy === undefined ? null : { proxy }) }
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`--${name}: the file ${path} cannot be read`)
  }
}
