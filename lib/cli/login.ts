import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { isStoredMember } from '../store/console-sessions.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../text/nearest.ts'
import { CommandError, readArguments, required, UsageError } from './command.ts'
import { operatorLink, userLink } from './links.ts'
import { reachable } from './output.ts'
import { withStore } from './store.ts'

export const usage = `Usage: sluiceway login --config FILE [--url URL] USER
       sluiceway login --config FILE [--url URL] --operator NAME

Prints a link that opens a console session for USER, a member of an account in the file or in the store, or the operators'
pages for an operator with a key. The link works once, within ten minutes. The session lasts twelve hours, that of an
operator eight.

  --url URL        the address at which browsers reach the pages; default: the configured one
  --operator NAME  the operator, as \`sluiceway keys create --operator NAME\` was given the name
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
  process.stdout.write(`${link}\n`)
  return 0
}

function adminUrl({ admin }: Config): string {
  if (admin?.api !== true)
    throw new CommandError('operators have no pages in this configuration: set `admin: { api: true }`')
  const host = admin.host.includes(':') ? `[${admin.host}]` : admin.host
  return reachable(`http://${host}:${admin.port}`)
}

async function checkUser(user: string, { accounts }: Config, store: Store): Promise<void> {
  const known = accounts.flatMap(({ members, keys }) => [...members, ...keys].flatMap(one => one.user ?? []))
  if (known.includes(user) || (await isStoredMember(store, user))) return
  throw new CommandError(`'${user}' is not a member of any account${suggestion(user, known)}`)
}

/** Uses a configured host name if there is one, because the gateway then answers to no other. */
function baseUrl({ listen, hosts }: Config): string {
  const address = listen.host.includes(':') ? `[${listen.host}]` : listen.host
  return reachable(`${listen.tls === undefined ? 'http' : 'https'}://${hosts.gateway?.[0] ?? address}:${listen.port}`)
}
