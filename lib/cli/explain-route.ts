import { text } from 'node:stream/consumers'
import { isUuid } from '../base/ids.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { CommandError, readArguments, required } from './command.ts'
import { print, table, urlOf } from './output.ts'
import { findAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway explain-route --config FILE [--path PATH] [--account ACCOUNT] [--zdr] < request.json

Asks the running gateway of this configuration for the cost of a request at each backend that may serve it: every term
in milliseconds, what they are computed from, and which backend would be chosen (docs/ROUTING.md). No backend receives
the request, and nothing is counted.

  --path PATH        path of the API that the request is for; default: /v1/chat/completions
  --account ACCOUNT  id or name of the account that sends it; needed if prefix caches are isolated by account
  --zdr              the request requires zero data retention
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  path: { type: 'string' },
  account: { type: 'string' },
  zdr: { type: 'boolean' },
} as const

const TERMS = ['wait', 'own', 'crowding', 'decode', 'pressure', 'memory', 'cost', 'floor', 'predicted']
const HEAD = ['', 'backend', ...TERMS, 'prompt', 'known']

export async function run(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  const { admin } = config
  if (admin === null)
    throw new CommandError(
      "the operators' port is off (`admin: false`): switch it on, because this command asks the gateway over that port",
    )
  const body = parseJson(await text(process.stdin))
  if (body === undefined) throw new CommandError('the request on stdin is not JSON')
  const { path = '/v1/chat/completions', zdr = false } = values
  const account = values.account === undefined ? '' : await accountId(values.account, config)
  const answer = await ask(urlOf(admin), { path, body, account, zdr })
  if (typeof answer.problem === 'string') throw new CommandError(answer.problem)
  return print(textOf(answer))
}

/** Reads the store only for a name that the file does not contain. */
async function accountId(wanted: string, config: Config): Promise<string> {
  if (isUuid(wanted)) return wanted.toLowerCase()
  const [account, ...others] = config.accounts.filter(({ name }) => name === wanted)
  if (account !== undefined && others.length === 0) return account.id
  return withStore(config, async store => (await findAccount(config, store, wanted)).id)
}

async function ask(url: string, question: JsonObject): Promise<JsonObject> {
  let answer: Json | undefined
  try {
    const response = await fetch(`${url}/explain-route`, { method: 'POST', body: JSON.stringify(question) })
    answer = parseJson(await response.text())
  } catch {
    throw new CommandError(`no server answers at ${url}: the gateway of this configuration does not run`)
  }
  if (!isObject(answer)) throw new CommandError(`the server at ${url} is no gateway of this version`)
  return answer
}

function textOf({ model, policy, beliefs, backends }: JsonObject): string {
  const rows = Array.isArray(backends) ? backends.filter(isObject) : []
  const lowest = Math.min(...rows.map(({ cost }) => Number(cost)))
  const ms = (value: Json | undefined) => Number(value).toFixed(1)
  const note =
    policy === 'cost' ? '' : `Policy ${String(policy)} chooses by requests in flight, and ignores these costs.\n`
  const cells = rows.map(({ backend, promptTokens, knownTokens, ...terms }) => [
    terms.cost === lowest ? '*' : ' ',
    String(backend),
    ...TERMS.map(name => ms(terms[name === 'cost' ? name : `${name}Ms`])),
    String(promptTokens),
    String(knownTokens),
  ])
  const title = `Model ${String(model)}: milliseconds until the first token, and tokens. *: lowest cost.\n`
  return title + note + table(HEAD, cells) + beliefsText(beliefs)
}

/** What the costs are computed from, with the number of samples of each value. */
function beliefsText(beliefs: Json | undefined): string {
  if (!isObject(beliefs) || !isObject(beliefs.samples)) return ''
  const { samples } = beliefs
  const text = (name: string, digits: number, unit: string) =>
    `${Number(beliefs[name]).toFixed(digits)} ${unit} (${String(samples[name])})`
  const values = [
    text('prefillTokensPerSecond', 0, 'prompt tokens/s'),
    `floor ${text('floorMs', 1, 'ms')}`,
    `decode step ${text('decodeStepMs', 2, 'ms')}`,
    text('kvMs', 7, 'ms per token in the KV cache'),
  ]
  return `Beliefs, with their samples: ${values.join(', ')}.\n`
}
