import { type BatchesJson, batchList, cancelBatchOf, pauseBatches, resumeBatches } from '../admin/batches.ts'
import type { AdminContext } from '../admin/context.ts'
import type { JsonObject } from '../base/json.ts'
import { BATCH_STATUSES } from '../batches/batch.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { ageText } from '../text/age.ts'
import { CommandError, oneOf, readArguments, required, runAction } from './command.ts'
import { print, table } from './output.ts'
import { contextOf, withStore } from './store.ts'

export const usage = `Usage: sluiceway batches list --config FILE [--account ACCOUNT] [--status STATUS] [--json]
       sluiceway batches pause --config FILE [--json] MODEL
       sluiceway batches resume --config FILE [--json] MODEL
       sluiceway batches cancel --config FILE [--json] ID

list prints how many requests of batches wait and run, by account and model, and the newest 100 batches that have not
ended. IN FLIGHT includes requests that wait in a process for spare capacity. --status is a state such as completed;
ACCOUNT is an id or a name.

pause sends no further requests of batches for a model, until resume. Requests in flight go on. The store keeps it
across restarts. cancel ends a batch for good: its owner keeps the results of what is done. Each reaches every process
within three seconds.
`

const OPTIONS = { config: { type: 'string', short: 'c' }, json: { type: 'boolean' } } as const
const LIST_OPTIONS = { ...OPTIONS, account: { type: 'string' }, status: { type: 'string' } } as const
const STATUSES = ['unfinished', ...BATCH_STATUSES] as const
const LISTED = 100

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, {
    list,
    pause: rest => change(rest, 'MODEL', pause),
    resume: rest => change(rest, 'MODEL', resume),
    cancel: rest => change(rest, 'ID', cancel),
  })
}

async function list(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, LIST_OPTIONS)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const status = oneOf(STATUSES, values.status, '--status') ?? 'unfinished'
  return withStore(config, async (store, current) => {
    const account = values.account === undefined ? null : { account: values.account }
    const query = { status, limit: LISTED, ...account }
    const reply = await batchList(contextOf(current, store), query).catch(explained)
    if (values.json === true) return print(`${JSON.stringify(reply)}\n`)
    return print(textOf(reply as unknown as BatchesJson))
  })
}

function textOf({ batches, backlog, paused_models: paused }: BatchesJson): string {
  const waiting = backlog.map(row => [
    row.account_name ?? row.account_id,
    row.model,
    String(row.batches),
    String(row.queued_requests),
    String(row.in_flight),
    ageText(row.oldest_seconds),
    paused.includes(row.model) ? 'yes' : '',
  ])
  const listed = batches.map(({ request_counts: counts, ...row }) => [
    row.id,
    row.account_name ?? row.account_id,
    row.status,
    row.model ?? '',
    String(counts.total),
    String(counts.completed),
    String(counts.failed),
    row.created_at,
    row.expires_at,
  ])
  const idle = paused.filter(model => !backlog.some(row => row.model === model))
  return [
    table(['ACCOUNT', 'MODEL', 'BATCHES', 'QUEUED', 'IN FLIGHT', 'OLDEST', 'PAUSED'], waiting),
    idle.length === 0 ? '' : `Paused, without requests: ${idle.join(', ')}\n`,
    '\n',
    table(['BATCH', 'ACCOUNT', 'STATUS', 'MODEL', 'REQUESTS', 'COMPLETED', 'FAILED', 'CREATED', 'EXPIRES'], listed),
  ].join('')
}

/** An action on one model or batch. Returns the reply of the API, and what is printed for people. */
type Action = (context: AdminContext, subject: string) => Promise<readonly [reply: JsonObject, text: string]>

async function change(argv: readonly string[], name: string, action: Action): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const subject = required(positionals[0], name)
  return withStore(config, async (store, current) => {
    const [reply, text] = await action(contextOf(current, store), subject).catch(explained)
    return print(values.json === true ? `${JSON.stringify(reply)}\n` : text)
  })
}

const pause: Action = async (context, model) => {
  const reply = await pauseBatches(context, { model })
  return [reply, `${reply.model} is paused: within three seconds, no more requests of batches are sent.\n`]
}

const resume: Action = async (context, model) => {
  const reply = await resumeBatches(context, { model })
  return [reply, `${reply.model} is not paused: requests of batches are sent within three seconds.\n`]
}

const cancel: Action = async (context, id) => {
  const reply = await cancelBatchOf(context, id)
  const { status } = reply
  const isCancelling = status === 'cancelling'
  return [reply, isCancelling ? `${id} is being cancelled.\n` : `${id} stays as it is: its state is ${status}.\n`]
}

/** Turns a refusal of an operation into an error of the command. */
function explained(error: unknown): never {
  throw error instanceof GatewayError ? new CommandError(error.message.replace(/\.$/, '')) : error
}
