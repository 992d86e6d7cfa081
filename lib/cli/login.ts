import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { isStoredMember } from '../store/console-sessions.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../text/nearest.ts'
import { CommandError, readArguments, required, UsageError } from './command.ts'
import { operatorLink, userLink } from './links.ts'
import { print, urlOf } from './output.ts'
import { withStore } from './store.ts'

export const usage = `Usage: sluiceway login --config FILE [--url URL] USER
       sluiceway login --config FILE [--url URL] --operator NAME

Prints a link that opens a session of the console for USER, a member of an account in the file or in the store; or of
the operators' pages, for an operator with a key. The link works once, within ten minutes. A session lasts twelve hours,
and eight hours for an operator.

  --url URL        the address at which browsers reach the pages; default: the configured one
  --operator NAME  the operator, with the name that \`sluiceway keys create --operator NAME\` was given
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { config: { type: 'string', short: 'c' }, url: { type: 'string' }, operator: { type: 'string' } },
    1,
  )
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const { operator } = values
  if (operator !== undefined && positionals.length > 0) throw new UsageError('USER and --operator cannot be combined')
  const base = values.url ?? (operator === undefined ? baseUrl(config) : adminUrl(config))
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
    throw new UsageError(`--url '${base}' is not an http or https URL`)
  const user = operator === undefined ? required(positionals[0], 'USER') : ''
  const link = await withStore(config, async store => {
    if (operator !== undefined) return operatorLink(store, operator, base)
    await checkUser(user, config, store)
    return userLink(store, user, base)
  })
  return print(`${link}\n`)
}

function adminUrl({ admin }: Config): string {
  if (admin?.api !== true)
    throw new CommandError('operators have no pages in this configuration: set `admin: { api: true }`')
  return urlOf(admin)
}

async function checkUser(user: string, { accounts }: Config, store: Store): Promise<void> {
  const known = accounts.flatMap(({ members, keys }) => [...members, ...keys].flatMap(one => one.user ?? []))
  if (known.includes(user) || (await isStoredMember(store, user))) return
  throw new CommandError(`'${user}' is not a member of any account${suggestion(user, known)}`)
}

/** Uses a configured host name if there is one, because the gateway then serves no other. */
function baseUrl({ listen, hosts }: Config): string {
  const { host, port, tls } = listen
  return urlOf({ host: hosts.gateway?.[0] ?? host, port }, tls === undefined ? 'http' : 'https')
}
