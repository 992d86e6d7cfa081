import { cordon, uncordon } from '../admin/backends.ts'
import { addressOf } from '../backends/backend.ts'
import { type ListedBackend, type ListedBelief, machinesText } from '../backends/backend-list.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { CommandError, checkFormat, readArguments, required, runAction, unknownName } from './command.ts'
import { print, tableOrCsv, urlOf } from './output.ts'
import { contextOf, withStore } from './store.ts'

export const usage = `Usage: sluiceway backends list --config FILE [--model MODEL] [--beliefs] [--json | --csv] [URL]
       sluiceway backends drain --config FILE [--model MODEL] [--json] URL
       sluiceway backends undrain --config FILE [--model MODEL] [--json] URL

list asks the running gateway for the state of its backends, over the port of \`admin\` in FILE. It knows all gateways
that share its store: numbers are their sums, the state is the worst, and MACHINES has the state on each if there are
several. Rate, errors and time to first token are those of the last minute. PREFILL/S, STEP and CACHE are the estimates
of routing: prompt tokens per second, milliseconds per decode step, and tokens in the prefix cache. They are configured,
reported by the engine, or measured; the number of samples is in parentheses.

--beliefs shows each estimate of routing in a row: its value and source, its samples, when it last changed, and the
value that the engine reports. "contradicts the pool" marks a value that differs from that of the model's other
backends by more than a factor of two.

drain keeps new requests away from a backend; requests in flight continue. The store keeps the drain across restarts
and reloads until undrain ends it, and every process applies it within two seconds. URL is the backend's \`url\`, or its
host and port. Without --model, the backend is drained for every model.
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  model: { type: 'string' },
  json: { type: 'boolean' },
} as const

const LIST_OPTIONS = { ...OPTIONS, beliefs: { type: 'boolean' }, csv: { type: 'boolean' } } as const

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { list, drain: rest => change('drain', rest), undrain: rest => change('undrain', rest) })
}

async function list(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, LIST_OPTIONS, 1)
  checkFormat(values)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const all = await askGateway(config)
  const rows = all
    .filter(({ model }) => values.model === undefined || model === values.model)
    .filter(({ url }) => positionals[0] === undefined || url.includes(positionals[0]))
  checkModel(values.model, config, all)
  if (values.json === true) return print(`${JSON.stringify({ backends: rows })}\n`)
  if (values.beliefs === true) return print(tableOrCsv(BELIEFS_HEAD, rows.flatMap(toBeliefs), values.csv))
  const hasSeveral = all.some(({ machines = [] }) => machines.length > 1)
  const head = [
    'MODEL',
    'BACKEND',
    'STATE',
    ...(hasSeveral ? ['MACHINES'] : []),
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
  return print(
    tableOrCsv(
      head,
      rows.map(row => toCells(row, hasSeveral)),
      values.csv,
    ),
  )
}

/** Refuses an unknown model. An unknown address is accepted, because its backend may have been removed. */
function checkModel(model: string | undefined, config: Config, all: readonly ListedBackend[]): void {
  const known = [...new Set([...config.models.map(({ id }) => id), ...all.map(backend => backend.model)])]
  if (model !== undefined && !known.includes(model)) throw unknownName('model', model, known)
}

function toCells(backend: ListedBackend, hasSeveral: boolean): string[] {
  const { model, url, state, in_flight, limit, requests_per_second, ttft_p95_ms, errors, drain, problem } = backend
  const { beliefs, machines } = backend
  return [
    model,
    url,
    state,
    ...(hasSeveral ? [machinesText(machines)] : []),
    String(in_flight),
    limit === null ? '' : String(limit),
    requests_per_second.toFixed(2),
    ttft_p95_ms === null ? '' : `≤ ${ttft_p95_ms} ms`,
    String(errors),
    beliefs === null ? '' : withSource(beliefs.prefill_tokens_per_second),
    beliefs === null ? '' : withSource(beliefs.decode_step_ms, ' ms'),
    beliefs === null ? '' : withSource(beliefs.cache_tokens),
    drain ?? '',
    problem ?? '',
  ]
}

function withSource({ value, source, samples }: ListedBelief, unit = ''): string {
  return `${value}${unit} (${source === 'replies' ? samples : source})`
}

const BELIEFS_HEAD = ['MODEL', 'BACKEND', 'BELIEF', 'VALUE', 'SOURCE', 'SAMPLES', 'CHANGED', 'ENGINE', 'NOTE']

function toBeliefs({ model, url, beliefs }: ListedBackend): string[][] {
  if (beliefs === null) return [[model, url, '', '', '', '', '', '', 'not routed by cost']]
  return Object.entries(beliefs).map(([name, belief]: [string, ListedBelief]) => [
    model,
    url,
    name,
    String(belief.value),
    belief.source,
    String(belief.samples),
    belief.moved_at ?? '',
    belief.engine === null ? '' : String(belief.engine),
    belief.contradicts_pool ? 'contradicts the pool' : '',
  ])
}

const TIMEOUT_MS = 5000

/** Throws CommandError if no gateway answers. */
async function askGateway({ admin }: Config): Promise<readonly ListedBackend[]> {
  if (admin === null)
    throw new CommandError('`admin` is off in this file: switch it on, because list asks the gateway over that port')
  const url = urlOf(admin)
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
    throw new CommandError(`the server at ${url} is no gateway of this version: see \`admin\` in the file`)
  return body.backends as (JsonObject & ListedBackend)[]
}

async function change(action: 'drain' | 'undrain', argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const wanted = required(positionals[0], 'URL')
  const { model } = values
  return withStore(config, async (store, current) => {
    const context = contextOf(current, store)
    const body = { url: wanted, ...(model === undefined ? null : { model }) }
    const { url } = await (action === 'drain' ? cordon(context, body) : uncordon(context, body)).catch(explained)
    if (values.json === true)
      return print(`${JSON.stringify({ url, model: model ?? null, drained: action === 'drain' })}\n`)
    const what = model === undefined ? url : `${url} of model ${model}`
    return print(
      action === 'drain'
        ? `${what} is drained: it receives no new requests within two seconds.\n${isKnown(current, url) ? '' : UNLISTED}`
        : `${what} is no longer drained: it receives requests again within two seconds.\n`,
    )
  })
}

const UNLISTED =
  'No backend of the file has this address: the drain applies to a discovered one. `sluiceway backends list` shows them.\n'

function isKnown({ models }: Config, address: string): boolean {
  return models.some(({ backends }) => backends.some(({ url }) => addressOf(url) === address))
}

/** Turns a refusal of an operation into an error of the command. */
function explained(error: unknown): never {
  throw error instanceof GatewayError ? new CommandError(error.message.replace(/\.$/, '')) : error
}
