// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a hint shows how to write a variable
/** Members with which a gateway runs, but hardly as intended. Only `sluiceway check` reports them. */
import type { Json, JsonObject } from '../../base/json.ts'
import type { Backend, ConfigFile, Model, RequestLimits } from '../generated/file.ts'
import { sourcePath, withSamples } from './model-sources.ts'
import { occurrences, type Report, Unique } from './view.ts'

/** The file, with samples of models that are discovered (model-sources.ts). */
type SampledFile = Omit<ConfigFile, 'models'> & { readonly models: readonly Model[] }

/** `accepted` has passed the schema and the other checks. */
export function checkWarnings(accepted: ConfigFile, report: Report): void {
  const given = accepted as unknown as JsonObject
  const file = withSamples(given) as unknown as SampledFile
  const warn: Report = (path, message) => report(sourcePath(given, path), message)
  for (const { member, problem } of MEMBERS) {
    for (const { path, value } of occurrences(file as unknown as Json, member.split('.'))) {
      const message = problem(value as never)
      if (message !== undefined) warn(path, message)
    }
  }
  checkVariables(file as unknown as Json, '', warn)
  checkProcess(file, warn)
  checkCollectors(file, warn)
  for (const [i, model] of file.models.entries()) checkModel(model, `models.${i}`, file, warn)
  checkFreeModels(file, warn)
  checkAccounts(file, warn)
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
      value > 0 && value < min
        ? `is in milliseconds, and then ${effect}: for ${value} seconds, write ${value * 1000}`
        : undefined,
  }
}

/** `max`: the longest plausible time. A higher one is probably in milliseconds. */
function seconds(member: string, max: number): DoubtfulMember {
  return {
    member,
    problem: (value: number) =>
      value > max ? `is in seconds: for ${value} milliseconds, write ${value / 1000}` : undefined,
  }
}

/** A directory or a file whose content must outlive the machine. */
function lasting(member: string): DoubtfulMember {
  return {
    member,
    problem: (path: string) =>
      /^(sqlite:)?\/(tmp|run|dev\/shm)\//.test(path)
        ? 'is deleted when the machine starts: write a directory that stays, such as /var/lib/sluiceway'
        : undefined,
  }
}

function networks(member: string, effect: string): DoubtfulMember {
  return { member, problem: (value: string) => (value.endsWith('/0') ? effect : undefined) }
}

/** The lowest plausible price, in cents per million tokens or characters. One in dollars per token is below it. */
const MIN_PRICE = 0.01

function price(member: string, unit: string): DoubtfulMember {
  return {
    member: `models.*.pricing.${member}`,
    problem: (price: number) =>
      price > 0 && price < MIN_PRICE
        ? `is in cents per million ${unit}s: for ${price} dollars per ${unit}, write ${Number((price * 1e8).toPrecision(9))}`
        : undefined,
  }
}

const MEMBERS: readonly DoubtfulMember[] = [
  time('timeouts.headers_ms', 1000, 'requests end with 408'),
  time('timeouts.request_ms', 1000, 'requests end with 408'),
  time('timeouts.connect_ms', 20, 'another backend is tried'),
  time('timeouts.first_byte_ms', 1000, 'requests end with 504'),
  time('timeouts.idle_ms', 1000, 'replies break off'),
  time('timeouts.client_idle_ms', 1000, 'clients are disconnected'),
  time('timeouts.keep_alive_ms', 1000, 'a stream is sent a comment'),
  time('memory.wait_ms', 100, 'requests end with 429 or 503'),
  time('memory.idle_ms', 1000, 'uploads end with 408'),
  time('models.*.queue.max_wait_ms', 100, 'requests end with 429'),
  time('console.oidc.timeout_ms', 100, 'nobody can sign in'),
  time('admin.oidc.timeout_ms', 100, 'nobody can sign in'),
  networks('listen.trusted_proxies.*', 'lets every client claim any address: write the networks of your proxies'),
  networks('image_fetch.allow.*', 'lets clients read from every private address: write the networks with images'),
  seconds('drain_seconds', 10_000),
  seconds('alerts.backend_down_seconds', 10_000),
  seconds('models.*.backends.*.every_seconds', 4000),
  seconds('models.*.discover.every_seconds', 4000),
  seconds('models.*.created', 100_000_000_000),
  lasting('journal'),
  lasting('files.path'),
  lasting('store'),
  { member: 'store', problem: (store: string) => storeProblem(store) },
  {
    member: 'models.*.backends.*.url',
    problem: (url: string) => (/\/v1\/v1\/*$/.test(url) ? 'has /v1 twice, so that requests end with 404' : undefined),
  },
  ...['input', 'cached_input', 'output'].map(member => price(member, 'token')),
  price('per_million_characters', 'character'),
]

function storeProblem(store: string): string | undefined {
  if (store === 'sqlite::memory:')
    return 'is lost at the end of the process, with its keys, usage and credits: write sqlite: and the path of a file'
  const [, path] = /^sqlite:\/\/([^/].*)$/.exec(store) ?? []
  return path === undefined ? undefined : `is the file /${path}: for one next to this file, write sqlite:./${path}`
}

/** Reports texts such as `$NAME`, which are used as they are. */
function checkVariables(value: Json, path: string, warn: Report): void {
  if (typeof value === 'string') {
    if (/^\$[A-Za-z_]\w*$/.test(value)) warn(path, 'is not replaced by an environment variable: write ${NAME}')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      checkVariables(inner as Json, path === '' ? name : `${path}.${name}`, warn)
  }
}

/** Members of the process that contradict others. */
function checkProcess(file: SampledFile, warn: Report): void {
  const { journal, files, store, limits, workers, memory, body_limit_bytes, admission } = file
  if (journal === files.path) warn('files.path', 'is the directory of journal: write another one')
  if (store.startsWith('sqlite:') && limits?.processes !== undefined && limits.processes > workers)
    warn(
      'limits.processes',
      'store is a file, so that other machines have other keys, usage and credits: use PostgreSQL',
    )
  const share = (memory.bodies_bytes ?? Number.POSITIVE_INFINITY) * memory.account_share
  if (body_limit_bytes > share)
    warn(
      'memory.bodies_bytes',
      `allows bodies of ${Math.floor(share)} bytes, and body_limit_bytes is larger: write more`,
    )
  for (const kind of ['requests', 'bodies'] as const) {
    const [ofKey, ofAccount] = [admission[`${kind}_per_key`], admission[`${kind}_per_account`]]
    if (ofKey !== undefined && ofAccount !== undefined && ofKey > ofAccount)
      warn(`admission.${kind}_per_key`, `has no effect, because an account may have ${ofAccount}: write less`)
  }
}

/** Reports a path that the gateway appends to the URL of a collector itself. */
function checkCollectors({ plugins = [], export: exports }: SampledFile, warn: Report): void {
  const check = (url: unknown, signal: string, path: string) => {
    const [, base] = new RegExp(`^(.+?)(/v1|/v1/${signal})+/*$`).exec(String(url)) ?? []
    if (base !== undefined) warn(path, `the gateway appends /v1/${signal} itself: write ${base}`)
  }
  for (const name of ['records', 'audit'] as const)
    if (exports?.[name]?.to === 'otlp') check(exports[name].url, 'logs', `export.${name}.url`)
  const index = 'base' in plugins ? -1 : plugins.findIndex(({ use }) => use === 'trace')
  const options = 'base' in plugins ? plugins.options.trace : plugins[index]?.options
  const path = 'base' in plugins ? 'plugins.options.trace' : `plugins.${index}.options`
  check(options?.endpoint, 'traces', `${path}.endpoint`)
}

/** A lower context window of a chat model is probably in thousands of tokens. */
const MAX_THOUSANDS = 1024

function checkModel(model: Model, path: string, file: SampledFile, warn: Report): void {
  const { kind, max_model_len: window, queue, max_concurrency, backends, pricing } = model
  if (kind === 'chat' && window !== undefined && window <= MAX_THOUSANDS)
    warn(`${path}.max_model_len`, `is in tokens: for ${window}k, write ${window * 1024}`)
  if (pricing?.cached_input !== undefined && pricing.cached_input > (pricing.input ?? 0))
    warn(`${path}.pricing.cached_input`, 'is higher than input, so that the cache makes requests dearer')
  const limits = [max_concurrency, ...backends.map(backend => backend.max_concurrency)]
  if (queue !== undefined && limits.every(limit => limit === undefined))
    warn(
      `${path}.queue`,
      'never holds a request, because no backend is ever full: set max_concurrency of the model or of its backends',
    )
  for (const [i, backend] of backends.entries()) checkBackend(backend, `${path}.backends.${i}`, file, warn)
}

function checkBackend(
  { url, engine, headers, type, name }: Backend,
  path: string,
  file: SampledFile,
  warn: Report,
): void {
  if (url !== undefined && isOwn(new URL(url), file))
    warn(
      `${path}.url`,
      'is this gateway itself, so that each request is refused after three rounds: write the url of the engine',
    )
  if (url !== undefined && new URL(url).pathname === '/' && (engine === 'vllm' || engine === 'sglang'))
    warn(`${path}.url`, 'has no path, and this engine serves its API below /v1: add /v1')
  const unique = new Unique(warn)
  for (const header of Object.keys(headers))
    unique.claim(
      header.toLowerCase(),
      `${path}.headers.${header}`,
      first => `is the same header as ${first}: remove one`,
    )
  if (type === 'SRV' && name !== undefined && !name.startsWith('_'))
    warn(
      `${path}.name`,
      'has no service: names of SRV records begin with service and protocol, each with an underscore',
    )
}

/** Whether the URL is an address of this gateway. */
function isOwn({ hostname, port }: URL, { listen, hosts, endpoints }: SampledFile): boolean {
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
function checkFreeModels({ models, plans, accounts }: SampledFile, warn: Report): void {
  const free = models.filter(({ pricing }) => pricing === undefined)
  const report = (path: string, [first, ...others]: readonly Model[]) => {
    if (first === undefined) return
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    warn(path, `requests to the model '${first.id}'${more} cost nothing: set pricing of the model, to 0 if intended`)
  }
  const reportBudgets = (path: string, limits: RequestLimits | undefined, unpriced: readonly Model[]) => {
    if (limits?.budget_cents !== undefined) report(`${path}.budget_cents`, unpriced)
    if (limits?.end_user?.budget_cents !== undefined) report(`${path}.end_user.budget_cents`, unpriced)
    for (const [name, { budget_cents }] of Object.entries(limits?.models ?? {}))
      if (budget_cents !== undefined) report(`${path}.models.${name}.budget_cents`, unpriced.filter(isOneOf([name])))
  }
  for (const [name, { limits }] of Object.entries(plans)) reportBudgets(`plans.${name}.limits`, limits, free)
  for (const [i, { models: allowed, credits_cents, keys }] of accounts.entries()) {
    const usable = allowed.includes('*') ? free : free.filter(isOneOf(allowed))
    if (credits_cents !== undefined) report(`accounts.${i}.credits_cents`, usable)
    for (const [n, { limits }] of keys.entries()) reportBudgets(`accounts.${i}.keys.${n}.limits`, limits, usable)
  }
}

function isOneOf(names: readonly string[]): (model: Model) => boolean {
  return ({ id, aliases }) => [id, ...aliases].some(name => names.includes(name))
}

function checkAccounts({ accounts, plans }: SampledFile, warn: Report): void {
  const names = new Unique(warn)
  for (const [i, { name, plan, keys }] of accounts.entries()) {
    names.claim(name, `accounts.${i}.name`, first => `is ${first} too, so that commands need the id: write another one`)
    const limits = plans[plan ?? '']?.limits
    for (const [n, key] of keys.entries()) {
      const path = `accounts.${i}.keys.${n}`
      if (key.kind === 'dedicated' && key.endpoints.length === 0)
        warn(path, 'is refused on every host: name its endpoints, or remove kind: dedicated')
      for (const member of ['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const) {
        const [own, all] = [key.limits?.[member], limits?.[member]]
        if (own !== undefined && all !== undefined && own > all)
          warn(`${path}.limits.${member}`, `has no effect, because the plan of the account allows ${all}: write less`)
      }
    }
  }
}
