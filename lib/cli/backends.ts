import { cordon, uncordon } from '../admin/backends.ts'
import { addressOf } from '../backends/backend.ts'
import type { ListedBackend } from '../backends/backend-list.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { CommandError, readArguments, required, UsageError, unknownName } from './command.ts'
import { reachable, table } from './output.ts'
import { contextOf, withStore } from './store.ts'

export const usage = `Usage: sluiceway backends list --config FILE [--model MODEL] [--json] [URL]
       sluiceway backends drain --config FILE [--model MODEL] [--json] URL
       sluiceway backends undrain --config FILE [--model MODEL] [--json] URL

list asks the running gateway, over the port of \`admin\` in FILE, for the state of its backends. Rate, errors and time to
first token are those of the last minute. PREFILL/S, STEP and CACHE are what routing believes of a backend: tokens of prompts
in a second, milliseconds of a decode step, tokens in the prefix cache; set, told by the engine, or learnt from replies.

drain keeps new requests away from a backend; those in flight go on. It is kept in the store: every process applies it
within two seconds, and it outlives restarts and reloads, until undrain ends it. URL is the backend's \`url\`, or its host
and port. Without --model, it is drained for every model.
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  model: { type: 'string' },
  json: { type: 'boolean' },
} as const

export async function run(argv: readonly string[]): Promise<number> {
  const [action, ...rest] = argv
  if (action === 'list') return list(rest)
  if (action === 'drain' || action === 'undrain') return change(action, rest)
  throw new UsageError(
    action === undefined
      ? 'an action is needed: list, drain or undrain'
      : `there is no action '${action}': use list, drain or undrain`,
  )
}

async function list(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const all = await askGateway(config)
  const rows = all
    .filter(({ model }) => values.model === undefined || model === values.model)
    .filter(({ url }) => positionals[0] === undefined || url.includes(positionals[0]))
  checkModel(values.model, config, all)
  if (values.json === true) return print(`${JSON.stringify({ backends: rows })}\n`)
  const head = [
    'MODEL',
    'BACKEND',
    'STATE',
    'IN FLIGHT',
    'LIMIT',
    'REQ/S',
    'TTFT P95',
    'ERRORS',
    'PREFILL/S',
    'STEP',
    'CACHE',
    'DRAINED BY',
    'PROBLEM',
  ]
  return print(table(head, rows.map(toCells)))
}

/** An unknown model is a mistake; an unknown address may be that of a backend that has gone. */
function checkModel(model: string | undefined, config: Config, all: readonly ListedBackend[]): void {
  const known = [...new Set([...config.models.map(({ id }) => id), ...all.map(backend => backend.model)])]
  if (model !== undefined && !known.includes(model)) throw unknownName('model', model, known)
}

function toCells(backend: ListedBackend): string[] {
  const { model, url, state, in_flight, limit, requests_per_second, ttft_p95_ms, errors, drain, problem } = backend
  const { learnt = null } = backend
  return [
    model,
    url,
    state,
    String(in_flight),
    limit === null ? '' : String(limit),
    requests_per_second.toFixed(2),
    ttft_p95_ms === null ? '' : `${ttft_p95_ms} ms`,
    String(errors),
    learnt === null ? '' : String(learnt.prefill_tokens_per_second),
    learnt === null ? '' : `${learnt.decode_step_ms} ms`,
    learnt === null ? '' : `${learnt.cache_tokens} (${learnt.cache_source})`,
    drain ?? '',
    problem ?? '',
  ]
}

const TIMEOUT_MS = 5000

/** Throws CommandError with what to do where no gateway answers. */
async function askGateway({ admin }: Config): Promise<readonly ListedBackend[]> {
  if (admin === null) throw new CommandError('`admin` is off in this file: switch it on, because list asks that port')
  const url = reachable(`http://${admin.host.includes(':') ? `[${admin.host}]` : admin.host}:${admin.port}`)
  let body: unknown
  try {
    const response = await fetch(`${url}/backends`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    body = response.ok ? await response.json() : undefined
  } catch {
    throw new CommandError(
      `no gateway answers at ${url}: start it with \`sluiceway serve --config FILE\`, or run this where it runs`,
    )
  }
  if (!isObject(body) || !Array.isArray(body.backends))
    throw new CommandError(`what answers at ${url} is no gateway of this version: see \`admin\` in the file`)
  return body.backends as (JsonObject & ListedBackend)[]
}

async function change(action: 'drain' | 'undrain', argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const wanted = required(positionals[0], 'URL')
  const { model } = values
  return withStore(config, async store => {
    const context = contextOf(config, store)
    const body = { url: wanted, ...(model === undefined ? null : { model }) }
    const { url } = await (action === 'drain' ? cordon(context, body) : uncordon(context, body)).catch(explained)
    if (values.json === true)
      return print(`${JSON.stringify({ url, model: model ?? null, drained: action === 'drain' })}\n`)
    const what = model === undefined ? url : `${url} of model ${model}`
    return print(
      action === 'drain'
        ? `${what} is drained: it is sent no new requests within two seconds.\n${isInFile(config, url) ? '' : UNLISTED}`
        : `${what} is no longer drained: it is sent requests again within two seconds.\n`,
    )
  })
}

const UNLISTED =
  'No backend of the file is at this address: it holds for one that discovery finds there. `sluiceway backends list` shows them.\n'

function isInFile({ models }: Config, address: string): boolean {
  return models.some(({ backends }) => backends.some(({ url }) => addressOf(url) === address))
}

/** A refusal in the form of commands. */
function explained(error: unknown): never {
  throw error instanceof GatewayError ? new CommandError(error.message.replace(/\.$/, '')) : error
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}
