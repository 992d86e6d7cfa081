import { systemClock } from '../base/clock.ts'
import { suggestion } from '../base/nearest.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { createLink, isStoredMember, LOGIN_PARAMETER, LOGIN_PATH } from '../store/console-sessions.ts'
import type { Store } from '../store/store.ts'
import { CommandError, readArguments, required, UsageError } from './command.ts'
import { reachable } from './output.ts'
import { withStore } from './store.ts'

export const usage = `Usage: sluiceway login --config FILE [--url URL] USER

Prints a link that opens a console session for USER, a member of an account in the file or in the store. The link works
once, within ten minutes. The session lasts twelve hours.

  --url URL   the address at which browsers reach the gateway; default: the configured one
`

export async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    argv,
    { config: { type: 'string', short: 'c' }, url: { type: 'string' } },
    1,
  )
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const user = required(positionals[0], 'USER')
  const base = values.url ?? baseUrl(config)
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
    throw new UsageError(`--url '${base}' is not an http or https URL`)
  return withStore(config, async store => {
    await checkUser(user, config, store)
    const link = new URL(LOGIN_PATH, base)
    link.searchParams.set(LOGIN_PARAMETER, await createLink(store, user, systemClock.now() * 1000))
    process.stdout.write(`${link}\n`)
    return 0
  })
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
