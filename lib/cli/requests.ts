import { withAccountNames } from '../admin/account-names.ts'
import { csvReply } from '../admin/csv.ts'
import { OPERATORS_REQUEST } from '../admin/requests.ts'
import { systemClock } from '../base/clock.ts'
import type { Json, JsonObject } from '../base/json.ts'
import { type Config, windowMilliseconds } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { type LookupFilter, lookUpRequest, lookUpRequests } from '../store/queries/lookup.ts'
import { CLIENTS } from '../store/record.ts'
import type { Store } from '../store/store.ts'
import { CommandError, checkFormat, oneOf, readArguments, required, UsageError } from './command.ts'
import { print, table } from './output.ts'
import { filteredAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway requests --config FILE --id ID [--json]
       sluiceway requests --config FILE [OPTION]… [--json | --csv]

Looks up requests in the store, on every surface.

--id shows one request with its times, its backend and its error. ID is any id that the client received
(req_0123456789ab, 0123456789ab, client_…), or the UUID of the record.

Without --id, prints the newest requests as a table:
  --account ACCOUNT  an id or a name; operator: the gateway's own requests
  --model MODEL      as requested or as resolved
  --backend URL      the address of a backend, or a part of it
  --key KEY          the id of a key
  --user USER        the user of the key
  --client CLIENT    family of the client: claude-code, codex, curl … (docs/OPERATIONS.md)
  --session SESSION  those of a session, by the 16 digits that --id shows; fast with --account
  --batch BATCH      those of a batch, of any age
  --tag TAG          those with this tag; several: with at least one of them
  --status STATUS    the status that the client got: 429, or 4xx, 5xx
  --errors           only requests that were refused or failed, including broken streams
  --cache PERCENT    of whose input at most this share came from the prefix cache
  --since TIME       how far to look back: 30m, 24h, 7d; default: 24h, with --batch any time
  --limit N          maximum number of requests, 1 to 1000; default: 50
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  id: { type: 'string' },
  account: { type: 'string' },
  model: { type: 'string' },
  backend: { type: 'string' },
  key: { type: 'string' },
  user: { type: 'string' },
  client: { type: 'string' },
  session: { type: 'string' },
  batch: { type: 'string' },
  tag: { type: 'string', multiple: true },
  status: { type: 'string' },
  errors: { type: 'boolean' },
  cache: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
} as const

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

const FILTERS = [
  'account',
  'model',
  'backend',
  'key',
  'user',
  'client',
  'session',
  'batch',
  'tag',
  'status',
  'errors',
  'cache',
  'since',
  'limit',
  'csv',
] as const satisfies readonly (keyof Values)[]

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const file = required(values.config, '--config FILE')
  checkFormat(values)
  const stray = values.id === undefined ? undefined : FILTERS.find(name => values[name] !== undefined)
  if (stray !== undefined) throw new UsageError(`--id selects one request: it cannot be combined with --${stray}`)
  const { since, limit } = boundsOf(values)
  const config = readConfig(file, process.env)
  return withStore(config, store =>
    values.id === undefined
      ? list(store, config, values, since, limit)
      : show(store, config, required(values.id, '--id ID'), values.json === true),
  )
}

function boundsOf({ batch, since, limit = '50' }: Values): { readonly since: number; readonly limit: number } {
  const ms = windowMilliseconds(since ?? '24h')
  if (ms === undefined) throw new UsageError('--since must be a number and m, h or d, such as 30m, 24h or 7d')
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > 1000) throw new UsageError('--limit must be a number from 1 to 1000')
  const isAnyTime = batch !== undefined && since === undefined
  return { since: isAnyTime ? 0 : (systemClock.now() - ms) * 1000, limit: count }
}

function filterOf({ model, backend, key, user, client, session, batch, tag, status, errors, cache }: Values) {
  return {
    ...{ model, backend, key, user, session, batch, errors },
    client: oneOf(CLIENTS, client, '--client'),
    tags: tag,
    ...(status !== undefined && statusOf(status)),
    max_cache_hit_pct: cache === undefined ? undefined : percentOf(cache),
  }
}

function statusOf(text: string): Pick<LookupFilter, 'status' | 'status_class'> {
  if (text === '4xx' || text === '5xx') return { status_class: text === '4xx' ? 4 : 5 }
  if (!/^[1-5]\d\d$/.test(text)) throw new UsageError('--status must be a number of three digits, 4xx or 5xx')
  return { status: Number(text) }
}

function percentOf(text: string): number {
  const percent = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(percent <= 100)) throw new UsageError('--cache must be a number from 0 to 100')
  return percent
}

async function list(store: Store, config: Config, values: Values, since: number, limit: number): Promise<number> {
  const filter = filterOf(values)
  const account = await filteredAccount(config, store, values.account)
  const found = await lookUpRequests(store, { ...filter, account, since }, limit)
  const requests = await withAccountNames({ config, store }, found)
  if (values.csv === true) return print(csvReply(OPERATORS_REQUEST, requests, config.currency).text)
  if (values.json === true) return print(`${JSON.stringify({ requests })}\n`)
  const head = ['TIME', 'REQUEST', 'STATUS', 'MODEL', 'BACKEND', 'TTFT', 'TOTAL', 'TOKENS', 'ERROR']
  return print(
    table(
      head,
      requests.map(request => [
        text(request.created_at).slice(0, 19),
        text(request.request_id),
        text(request.status_code),
        text(request.model_resolved ?? request.model_requested),
        text(request.backend),
        milliseconds(request.ttft_ms),
        milliseconds(request.total_latency_ms),
        request.output_tokens === null ? '' : `${text(request.input_tokens)}+${text(request.output_tokens)}`,
        [request.error_code, request.upstream_error].filter(value => value != null).join(': '),
      ]),
    ),
  )
}

async function show(store: Store, config: Config, id: string, asJson: boolean): Promise<number> {
  const { retention_days } = config
  const matches = await withAccountNames({ config, store }, await lookUpRequest(store, id))
  if (matches.length === 0) {
    throw new CommandError(
      `there is no request '${id}' in the store. Records are kept for ${retention_days} days, and appear about a second ` +
        'after the end of a request. A request without a valid key has no record, only a line in the log',
    )
  }
  if (asJson) return print(`${JSON.stringify(matches.length === 1 ? matches[0] : { requests: matches })}\n`)
  return print(matches.map(detailOf).join('\n'))
}

/** The members of a record, one a line, grouped by subject. Members without a value are left out. */
function detailOf(request: JsonObject): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Request', `${text(request.request_id)}  (${text(request.id)})`],
    ['Time', text(request.created_at)],
    ['Route', `${text(request.method)} ${text(request.path)} on ${text(request.endpoint ?? request.surface)}`],
    ['Account', [request.account_name, request.account_id].filter(value => value != null).join(', ')],
    ['Key', [request.key_id, request.user_id].filter(value => value != null).join(', ')],
    ['Client', text(request.client)],
    ['Session', text(request.session)],
    ['Batch', request.batch_id === null ? '' : `${text(request.batch_id)}, line ${text(request.batch_line)}`],
    ['Model', modelOf(request)],
    ['Status', text(request.status_code)],
    ['Error', [request.error_code, request.error_message].filter(value => value != null).join(': ')],
    ['Backend', text(request.backend)],
    ['Attempts', text(request.attempts)],
    ['Upstream status', text(request.upstream_status)],
    ['Upstream error', text(request.upstream_error)],
    ['Waited', milliseconds(request.queue_ms)],
    ['First byte', milliseconds(request.first_byte_ms)],
    ['In its queue', milliseconds(request.engine_queue_ms)],
    ['First token', milliseconds(request.ttft_ms)],
    ['At the backend', milliseconds(request.duration_ms)],
    ['Total', milliseconds(request.total_latency_ms)],
    ['Stalls', text(request.stall_count)],
    ['Tokens', tokensOf(request)],
    ['Speed', request.output_tps === null ? '' : `${text(request.output_tps)} tokens/s`],
    ['Finish', text(request.finish_reason)],
    ['Zero retention', request.zdr === true ? 'required' : ''],
    ['Tags', Array.isArray(request.request_tags) ? request.request_tags.join(', ') : ''],
  ]
  return rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.padEnd(16)}${value}\n`)
    .join('')
}

function modelOf({ model_requested: asked, model_resolved: resolved }: JsonObject): string {
  return asked === resolved || resolved === null ? text(asked) : `${text(asked)} → ${text(resolved)}`
}

function tokensOf({ input_tokens, output_tokens, cache_read_tokens, usage_present }: JsonObject): string {
  if (input_tokens === null && output_tokens === null) return ''
  const cached = cache_read_tokens === null ? '' : `, ${text(cache_read_tokens)} of the input cached`
  return `${text(input_tokens)} in, ${text(output_tokens)} out${cached}${usage_present === true ? '' : ' (not all reported)'}`
}

function text(value: Json | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

function milliseconds(value: Json | undefined): string {
  return typeof value === 'number' ? `${value} ms` : ''
}
