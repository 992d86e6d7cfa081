import { text } from 'node:stream/consumers'
import { isUuid } from '../base/ids.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { CommandError, readArguments, required } from './command.ts'
import { reachable, table } from './output.ts'
import { findAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway explain-route --config FILE [--path PATH] [--account ACCOUNT] [--zdr] < request.json

Asks the running gateway of this configuration what a request would cost at each backend that may serve it, term by term, in
milliseconds, and which one would get it (docs/ROUTING.md). Nothing is sent to a backend, and nothing is counted.

  --path PATH        of the API that the request is for; default: /v1/chat/completions
  --account ACCOUNT  the account that sends it, an id or a name, where accounts are isolated in caches
  --zdr              it requires zero data retention
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  path: { type: 'string' },
  account: { type: 'string' },
  zdr: { type: 'boolean' },
} as const

const HEAD = ['', 'backend', 'wait', 'own', 'decode', 'pressure', 'cost', 'prompt', 'known']

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const { admin } = config
  if (admin === null) throw new CommandError("the operators' port is off (`admin: false`): nobody can be asked")
  const body = parseJson(await text(process.stdin))
  if (body === undefined) throw new CommandError('the request on stdin is not JSON')
  const { path = '/v1/chat/completions', zdr = false } = values
  const account = values.account === undefined ? '' : await accountId(values.account, config)
  const host = admin.host.includes(':') ? `[${admin.host}]` : admin.host
  const answer = await ask(reachable(`http://${host}:${admin.port}/`), { path, body, account, zdr })
  if (typeof answer.problem === 'string') throw new CommandError(answer.problem)
  process.stdout.write(shown(answer))
  return 0
}

/** The store is asked for a name alone, which the file does not have. */
async function accountId(wanted: string, config: Config): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase()
  const inFile = config.accounts.filter(({ name }) => name === wanted)
  if (inFile.length === 1) return inFile[0]!.id
  return withStore(config, async store => (await findAccount(config, store, wanted)).id)
}

async function ask(url: string, question: JsonObject): Promise<JsonObject> {
  let answer: Json | undefined
  try {
    const response = await fetch(`${url}explain-route`, { method: 'POST', body: JSON.stringify(question) })
    answer = parseJson(await response.text())
  } catch {
    throw new CommandError(`nothing answers at ${url}: the gateway of this configuration does not run`)
  }
  if (!isObject(answer)) throw new CommandError(`what answers at ${url} is no gateway of this version`)
  return answer
}

function shown({ model, policy, backends }: JsonObject): string {
  const rows = Array.isArray(backends) ? backends.filter(isObject) : []
  const least = Math.min(...rows.map(({ cost }) => Number(cost)))
  const ms = (value: Json | undefined) => Number(value).toFixed(1)
  const note =
    policy === 'cost' ? '' : `Policy ${String(policy)} chooses by requests in flight: these costs are not used.\n`
  const cells = rows.map(({ backend, waitMs, ownMs, decodeMs, pressureMs, cost, promptTokens, knownTokens }) => [
    cost === least ? '*' : ' ',
    String(backend),
    ...[waitMs, ownMs, decodeMs, pressureMs, cost].map(ms),
    String(promptTokens),
    String(knownTokens),
  ])
  return `Model ${String(model)}: milliseconds until the first token, and tokens. * costs least.\n${note}${table(HEAD, cells)}`
}
