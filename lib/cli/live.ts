/** The checks of `check --live`: the store, Redis, issuers, each backend, and obstacles to a start on this machine. */
import { pino } from 'pino'
import { addressOf } from '../backends/backend.ts'
import { openSource } from '../backends/discovery/service-discovery.ts'
import type { JsonObject } from '../base/json.ts'
import { within } from '../base/timeout.ts'
import type {
  BackendConfig,
  Config,
  DiscoveryConfig,
  IssuerConfig,
  ModelConfig,
  ModelSourceConfig,
} from '../config/config.ts'
import { isAllowed } from '../config/discovered-models.ts'
import { sourceName } from '../config/discovery.ts'
import { parseRedisUrl } from '../config/redis-address.ts'
import { listCards } from '../engines/probe/discover.ts'
import { clientOf, inquire, serverOf } from '../engines/probe/inquiry.ts'
import { connectionProblem, createClient } from '../limits/redis/client.ts'
import { discoverIssuer, discoveryProblem } from '../oidc/issuer.ts'
import { storeProblem } from '../store/database-error.ts'
import { nameOf, storeState } from '../store/store.ts'
import { obstacles } from './live-process.ts'
import { stateLine } from './migrate.ts'

/** The result of one check. */
interface Finding {
  readonly ok: boolean
  /** One line, without a line feed. */
  readonly line: string
}

const TIMEOUT_MS = 10_000

/** A larger difference between clocks makes times in logs and records useless. */
const MAX_SKEW_MS = 30_000

/** Runs all checks at once. The results are in the order of the file, after obstacles and the store. */
export async function checkLive(config: Config, timeoutMs = TIMEOUT_MS): Promise<readonly Finding[]> {
  const backends = config.models.flatMap(model => [
    ...model.backends.map(async backend => [await checkBackend(model, backend, timeoutMs)]),
    ...model.discover.map(entry => checkDiscovery(model, entry, timeoutMs)),
  ])
  const found = await obstacles(config)
  // A store that cannot be created has one line, not two that contradict each other.
  const store = found.some(({ name }) => name.startsWith('store ')) ? [] : [checkStore(config, timeoutMs)]
  const shared = [...store, ...checkRedis(config, timeoutMs), ...checkIssuers(config)]
  const here = found.map(({ name, problem }) => bad(name, problem))
  const sources = config.modelSources.map(source => checkModelSource(source, timeoutMs))
  return [...here, ...(await Promise.all(shared)), ...(await Promise.all([...backends, ...sources])).flat()]
}

/** Asks each server of an entry for its models. */
async function checkModelSource(entry: ModelSourceConfig, timeoutMs: number): Promise<readonly Finding[]> {
  const { source } = entry
  if (typeof source === 'string') return [await checkModelList(entry, source, timeoutMs)]
  const opened = openSource(source)
  try {
    const { urls } = await within(timeoutMs, `no answer within ${timeoutMs / 1000} s`, opened.lookup())
    return await Promise.all(urls.map(url => checkModelList(entry, url, timeoutMs)))
  } catch (error) {
    return [bad(`models of ${entry.name}`, (error as Error).message)]
  } finally {
    opened.close()
  }
}

async function checkModelList(entry: ModelSourceConfig, url: string, timeoutMs: number): Promise<Finding> {
  const name = `models of ${addressOf(url)}`
  try {
    const cards = await listCards(clientOf({ ...entry.backend, url }, { timeoutMs }))
    const ids = cards.map(card => String((card as JsonObject).id))
    const allowed = ids.filter(id => isAllowed(entry, id))
    if (allowed.length === 0) return bad(name, `none of its models is allowed: ${ids.join(', ') || 'it lists none'}`)
    return good(name, `${allowed.length} of ${ids.length} served: ${allowed.join(', ')}`)
  } catch (error) {
    return bad(name, (error as Error).message)
  }
}

/** Looks up the backends once, and checks each of them. */
async function checkDiscovery(
  model: ModelConfig,
  { source, backend }: DiscoveryConfig,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  const name = `discovery ${sourceName(source)} of model '${model.id}'`
  const opened = openSource(source)
  try {
    const { urls, total } = await within(timeoutMs, `no answer within ${timeoutMs / 1000} s`, opened.lookup())
    const used = urls.length === 1 ? '1 backend' : `${urls.length} backends`
    const result = total > urls.length ? bad(name, `${total} backends, of which ${used} are used`) : good(name, used)
    return [result, ...(await Promise.all(urls.map(url => checkBackend(model, { ...backend, url }, timeoutMs))))]
  } catch (error) {
    return [bad(name, (error as Error).message)]
  } finally {
    opened.close()
  }
}

async function checkStore({ store }: Config, timeoutMs: number): Promise<Finding> {
  const name = `store ${nameOf(store)}`
  try {
    const late = `no answer within ${timeoutMs / 1000} s`
    return good(name, stateLine(await within(timeoutMs, late, storeState(store, pino({ level: 'silent' })))))
  } catch (error) {
    return bad(name, storeProblem(error))
  }
}

function checkRedis({ limits_store: url }: Config, timeoutMs: number): Promise<Finding>[] {
  return url === 'memory' ? [] : [askRedis(url, timeoutMs)]
}

async function askRedis(url: string, timeoutMs: number): Promise<Finding> {
  const address = parseRedisUrl(url)
  const name = `limits_store ${address.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`
  const client = createClient(address)
  let problem: string | undefined
  client.on('error', (error: Error) => {
    problem = connectionProblem(error)
  })
  try {
    const late = `no answer within ${timeoutMs / 1000} s`
    await within(timeoutMs, late, client.connect())
    // The client itself would use database 0 if there is no such database.
    if (address.db > 0) await within(timeoutMs, late, client.select(address.db))
    const info = await within(timeoutMs, late, client.info('server'))
    return good(name, `Redis ${/redis_version:(\S+)/.exec(info)?.[1] ?? ''}`.trim())
  } catch (error) {
    return bad(name, problem ?? (error as Error).message)
  } finally {
    client.disconnect()
  }
}

function checkIssuers({ console, admin }: Config): Promise<Finding>[] {
  const issuers = [['console.oidc', console.oidc] as const, ['admin.oidc', admin?.oidc] as const]
  return issuers.flatMap(([name, oidc]) => (oidc === undefined ? [] : [checkIssuer(`${name} ${oidc.issuer}`, oidc)]))
}

/** Reads the discovery document. Only a sign-in shows whether the issuer accepts the client. */
async function checkIssuer(name: string, oidc: IssuerConfig): Promise<Finding> {
  try {
    const { code_challenge_methods_supported: methods } = await discoverIssuer(oidc)
    if (methods !== undefined && !methods.includes('S256')) return bad(name, 'it does not support PKCE with S256')
    return good(name, `discovery document read, ${methods === undefined ? 'PKCE not mentioned' : 'PKCE supported'}`)
  } catch (error) {
    return bad(name, discoveryProblem(error))
  }
}

async function checkBackend(model: ModelConfig, backend: BackendConfig, timeoutMs: number): Promise<Finding> {
  const name = `backend ${addressOf(backend.url)} of model '${model.id}'`
  const { problem, date } = await inquire(model, backend, { timeoutMs })
  if (problem !== null) return bad(name, problem)
  const skew = date === null ? null : date - Date.now()
  const { engine, version } = await serverOf(backend, { timeoutMs })
  const server = version === undefined ? engine : `${engine} ${version}`
  if (skew !== null && Math.abs(skew) > MAX_SKEW_MS)
    return bad(name, `${server}; its clock differs by ${Math.round(skew / 1000)} s`)
  const clock =
    skew === null ? 'clock unknown' : `clock ${Math.abs(skew) < 2000 ? 'right' : `${Math.round(skew / 1000)} s`}`
  return good(name, `serves '${backend.model}', ${server}, ${clock}`)
}

function good(name: string, result: string): Finding {
  return { ok: true, line: oneLine(`ok   ${name}: ${result}`) }
}

function bad(name: string, problem: string): Finding {
  return { ok: false, line: oneLine(`bad  ${name}: ${problem}`) }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
