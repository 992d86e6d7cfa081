/** Members with which a gateway runs, but hardly as intended. Only `sluiceway check` reports them. */
import type { Json } from '../../base/json.ts'
import type { ConfigFile, Model } from '../generated/file.ts'
import { occurrences, type Report } from './view.ts'

/** `file` has passed the schema and the other checks. */
export function checkWarnings(file: ConfigFile, warn: Report): void {
  for (const { member, problem } of MEMBERS) {
    for (const { path, value } of occurrences(file as unknown as Json, member.split('.'))) {
      const message = problem(value as never)
      if (message !== undefined) warn(path, message)
    }
  }
  checkTraces(file.plugins, warn)
  for (const [i, model] of file.models.entries()) checkModel(model, `models.${i}`, file, warn)
  checkFreeModels(file, warn)
  for (const [i, { keys }] of file.accounts.entries())
    for (const [n, { kind, endpoints }] of keys.entries())
      if (kind === 'dedicated' && endpoints.length === 0)
        warn(`accounts.${i}.keys.${n}`, 'is refused on every host: name its endpoints, or remove kind: dedicated')
}

/** A member whose value alone may be a mistake. */
interface DoubtfulMember {
  /** Path in the file; `*`: every entry. */
  readonly member: string
  /** undefined: the value is plausible. */
  readonly problem: (value: never) => string | undefined
}

/** `min`: the shortest plausible time. A lower one is probably in seconds. */
function time(member: string, min: number, effect: string): DoubtfulMember {
  return {
    member,
    problem: (value: number) =>
      value < min ? `is in milliseconds, and then ${effect}: for ${value} seconds, write ${value * 1000}` : undefined,
  }
}

function networks(member: string, effect: string): DoubtfulMember {
  return { member, problem: (value: string) => (value.endsWith('/0') ? effect : undefined) }
}

/** The lowest plausible price, in cents per million tokens. One in dollars per token is below it. */
const MIN_PRICE = 0.01

const MEMBERS: readonly DoubtfulMember[] = [
  time('timeouts.headers_ms', 1000, 'requests end with 408'),
  time('timeouts.request_ms', 1000, 'requests end with 408'),
  time('timeouts.connect_ms', 20, 'another backend is tried'),
  time('timeouts.first_byte_ms', 1000, 'requests end with 504'),
  time('timeouts.idle_ms', 1000, 'replies break off'),
  time('timeouts.client_idle_ms', 1000, 'clients are disconnected'),
  time('timeouts.keep_alive_ms', 1000, 'a stream is sent a comment'),
  time('memory.idle_ms', 1000, 'uploads end with 408'),
  time('models.*.queue.max_wait_ms', 100, 'requests end with 429'),
  time('console.oidc.timeout_ms', 100, 'nobody can sign in'),
  time('admin.oidc.timeout_ms', 100, 'nobody can sign in'),
  networks('listen.trusted_proxies.*', 'lets every client claim any address: write the networks of your proxies'),
  networks('image_fetch.allow.*', 'lets clients read from every private address: write the networks with images'),
  {
    member: 'models.*.pricing.*',
    problem: (price: number) =>
      price > 0 && price < MIN_PRICE
        ? `is in cents per million tokens: for ${price} dollars per token, write ${Number((price * 1e8).toPrecision(9))}`
        : undefined,
  },
]

/** Reports a path that the plugin `trace` appends itself. */
function checkTraces(plugins: ConfigFile['plugins'], warn: Report): void {
  if (plugins === undefined) return
  const index = 'base' in plugins ? -1 : plugins.findIndex(({ use }) => use === 'trace')
  const options = 'base' in plugins ? plugins.options.trace : plugins[index]?.options
  const [, base] = /^(.+?)(\/v1|\/v1\/traces)+\/*$/.exec(String(options?.endpoint)) ?? []
  const path = 'base' in plugins ? 'plugins.options.trace' : `plugins.${index}.options`
  if (base !== undefined) warn(`${path}.endpoint`, `the gateway appends /v1/traces itself: write ${base}`)
}

function checkModel({ queue, max_concurrency, backends }: Model, path: string, file: ConfigFile, warn: Report): void {
  const limits = [max_concurrency, ...backends.map(backend => backend.max_concurrency)]
  if (queue !== undefined && limits.every(limit => limit === undefined))
    warn(
      `${path}.queue`,
      'never holds a request, because no backend is ever full: set max_concurrency of the model or of its backends',
    )
  for (const [i, { url }] of backends.entries()) {
    if (url !== undefined && isOwn(new URL(url), file))
      warn(
        `${path}.backends.${i}.url`,
        'is this gateway itself, so that each request is refused after three rounds: write the url of the engine',
      )
  }
}

/** Whether the URL is an address of this gateway. */
function isOwn({ hostname, port }: URL, { listen, hosts, endpoints }: ConfigFile): boolean {
  const own = [...(hosts.gateway ?? []), ...(hosts.api ?? []), ...endpoints.map(({ host }) => host)]
  const isNamed = own.some(host => host.toLowerCase() === hostname)
  // A proxy in front of the gateway listens on the default port.
  if (isNamed && !isLocal(hostname) && port === '') return true
  const listensLocally = isLocal(listen.host) || listen.host === '0.0.0.0' || listen.host === '::'
  return port === String(listen.port) && (isNamed || hostname === listen.host || (isLocal(hostname) && listensLocally))
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || host.startsWith('127.')
}

/** Reports models without prices where money is counted. */
function checkFreeModels({ models, plans, accounts }: ConfigFile, warn: Report): void {
  const free = models.filter(({ pricing }) => pricing === undefined)
  const report = (path: string, [first, ...others]: readonly Model[]) => {
    if (first === undefined) return
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    warn(path, `requests to the model '${first.id}'${more} cost nothing: set pricing of the model, to 0 if intended`)
  }
  for (const [name, { limits }] of Object.entries(plans))
    if (limits?.budget_cents !== undefined) report(`plans.${name}.limits.budget_cents`, free)
  for (const [i, { models: allowed, credits_cents, keys }] of accounts.entries()) {
    const isAllowed = (name: string) => allowed.includes('*') || allowed.includes(name)
    const usable = free.filter(({ id, aliases }) => [id, ...aliases].some(isAllowed))
    if (credits_cents !== undefined) report(`accounts.${i}.credits_cents`, usable)
    for (const [n, { limits }] of keys.entries())
      if (limits?.budget_cents !== undefined) report(`accounts.${i}.keys.${n}.limits.budget_cents`, usable)
  }
}
