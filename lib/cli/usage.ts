import { TextReply } from '../admin/csv.ts'
import { type UsageQuery, usageReport } from '../admin/usage.ts'
import type { Json, JsonObject } from '../base/json.ts'
import { parseTime } from '../base/time.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { RECORDED_GROUPS, USAGE_GROUPS } from '../store/queries/usage-groups.ts'
import { CLIENTS } from '../store/record.ts'
import { CommandError, checkFormat, oneOf, readArguments, required, UsageError } from './command.ts'
import { print, table } from './output.ts'
import { contextOf, filteredAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway usage --config FILE [OPTION]… [--csv | --json]

Sums up requests, tokens and estimated cost in the store.

  --account ACCOUNT   an id or a name, or operator: the gateway's own requests; default: all
  --client CLIENT     only requests of this family of clients: claude-code, codex, curl …
  --from TIME         2026-11-21 or 2026-11-21T10:00:00Z; default: 30 days before --to
  --to TIME           exclusive; default: now
  --group-by GROUPS   with commas between; default: day,model
                      ${USAGE_GROUPS.join(', ')}

Times are widened to whole hours. Groups by ${RECORDED_GROUPS.join(', ')} need records, which are kept
for a shorter time.
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  account: { type: 'string' },
  client: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'group-by': { type: 'string' },
  csv: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const { from, to, csv = false, json = false, 'group-by': group_by = 'day,model' } = values
  checkFormat(values)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  for (const [name, time] of Object.entries({ from, to })) {
    if (time !== undefined && parseTime(time) === undefined)
      throw new UsageError(`--${name} must be a day or a time with a timezone: 2026-11-21 or 2026-11-21T10:00:00Z`)
  }
  const client = oneOf(CLIENTS, values.client, '--client')
  return withStore(config, async (store, current) => {
    const account = await filteredAccount(config, store, values.account)
    const query: UsageQuery = {
      ...(account === undefined ? null : { account }),
      ...(client === undefined ? null : { client }),
      ...(from === undefined ? null : { from }),
      ...(to === undefined ? null : { to }),
      group_by,
      format: csv ? 'csv' : 'json',
    }
    const report = await usageReport(contextOf(current, store), query).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error
      if (error.status === 422) throw new UsageError(asOptions(error.message))
      throw new CommandError(error.message)
    })
    if (report instanceof TextReply) return print(report.text)
    return print(json ? `${JSON.stringify(report)}\n` : usageTable(report, config.currency))
  })
}

/** Parameters of the API, which its messages quote, are options of this command. */
function asOptions(message: string): string {
  return message.replace(/'(group_by|from|to)'/g, (_, name: string) => `--${name.replace('_', '-')}`).replace(/\.$/, '')
}

function usageTable({ rows, group_by }: JsonObject, currency: string): string {
  const groups = group_by as string[]
  const sums = ['requests', 'input_tokens', 'cache_read_tokens', 'output_tokens', 'estimated_cost_cents']
  const heads = ['REQUESTS', 'INPUT', 'CACHED', 'OUTPUT', `COST (CENTS OF ${currency})`]
  const cells = (rows as JsonObject[]).map(row => [
    ...groups.map(group => textOf(group === 'account' ? (row.account_name ?? row.account) : row[group])),
    ...sums.map(sum => textOf(row[sum])),
  ])
  return table([...groups.map(group => group.toUpperCase()), ...heads], cells)
}

function textOf(value: Json | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}
