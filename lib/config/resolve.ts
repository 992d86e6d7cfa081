/** Turns a valid file into the configuration that the gateway uses (config.ts). */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sha256 } from '../base/sha256.ts'
import type { FormatOptions } from '../canonical/format.ts'
import { toChain } from './chain.ts'
import type {
  AccountConfig,
  BackendOptions,
  Capabilities,
  Config,
  KeyConfig,
  ModelConfig,
  PlanConfig,
  Pricing,
  RoutingConfig,
} from './config.ts'
import { toDiscovery, toModelSource } from './discovery.ts'
import { formatsOf, gatewayFormats } from './format-options.ts'
import type {
  Account,
  Backend,
  Capabilities as CapabilitiesFile,
  ConfigFile,
  Export,
  ExportTarget,
  Key,
  Model,
  Plan,
  Routing,
} from './generated/file.ts'
import { knownToAll } from './passthrough.ts'
import { PROFILES } from './profile.ts'

/** The file must have passed the schema and all checks. */
export function resolveConfig(file: ConfigFile, baseDir: string): Omit<Config, 'file' | 'found'> {
  const path = (name: string): string => resolve(baseDir, name)
  // `members` are used as they are in the file, unless they are set below.
  const { $schema, chat, messages, responses, tools, reasoning, errors, clamp_max_tokens, routing, ...members } = file
  const { tls, ...listen } = file.listen
  const models = file.models.filter((entry): entry is Model => !('discover' in entry))
  const idOf = modelIds(models)
  const formats = gatewayFormats(file)
  return {
    ...members,
    baseDir,
    tlsFiles: tlsFiles(file).map(path),
    docs_url: file.docs_url?.replace(/\/+$/, ''),
    topup_url: file.topup_url,
    listen: tls === undefined ? listen : { ...listen, tls: { cert: path(tls.cert), key: path(tls.key) } },
    admin: file.admin === false ? null : file.admin,
    hosts: { gateway: lowerCase(file.hosts.gateway) ?? null, api: lowerCase(file.hosts.api) ?? null },
    store: toStore(file.store, path),
    journal: path(file.journal),
    files: { ...file.files, path: path(file.files.path) },
    ...(file.export && { export: toExport(file.export, path) }),
    formats,
    plugins: toChain(file.plugins, baseDir),
    models: models.map(model => toModel(model, file, idOf, path)),
    modelSources: file.models.flatMap(entry => {
      if (!('discover' in entry)) return []
      const [backend] = entry.defaults.backends
      const ownRouting = toRouting({ ...file.routing, ...entry.defaults.routing })
      // The schema has a default for `backends`.
      return [toModelSource(entry, toBackend(backend!, '', ownRouting, path))]
    }),
    endpoints: file.endpoints.map(({ host, models }) => ({ host: host.toLowerCase(), models: idsOf(models, idOf) })),
    plans: Object.fromEntries(Object.entries(file.plans).map(([name, plan]) => [name, toPlan(plan, idOf)])),
    accounts: file.accounts.map(account => toAccount(account, formats, idOf)),
  }
}

function toStore(store: string, path: (name: string) => string): string {
  if (!store.startsWith('sqlite:') || store === 'sqlite::memory:') return store
  return `sqlite:${path(store.slice('sqlite:'.length))}`
}

function toExport(file: Export, path: (name: string) => string): Export {
  const { records, audit } = file
  const resolved = (target: ExportTarget) =>
    target.path === undefined ? target : { ...target, path: path(target.path) }
  return { ...(records && { records: resolved(records) }), ...(audit && { audit: resolved(audit) }) }
}

function toModel(
  model: Model,
  file: ConfigFile,
  idOf: ReadonlyMap<string, string>,
  path: (name: string) => string,
): ModelConfig {
  const { id, aliases, kind, created, sampling, pricing } = model
  const routing = toRouting({ ...file.routing, ...model.routing })
  const options = model.backends.map(backend => toBackend(backend, id, routing, path))
  return {
    id,
    aliases,
    kind,
    owned_by: model.owned_by ?? file.brand,
    created,
    max_model_len: model.max_model_len,
    pricing: pricing && toPricing(pricing),
    sampling,
    capabilities: toCapabilities(model.capabilities, options),
    passthrough: knownToAll(
      model.passthrough,
      options.map(({ profile }) => profile),
    ),
    max_concurrency: model.max_concurrency,
    routing,
    queue: model.queue,
    fallback: idsOf(model.fallback, idOf),
    mirror: model.mirror && { ...model.mirror, to: idOf.get(model.mirror.to) ?? model.mirror.to },
    backends: model.backends.flatMap(({ url }, i) =>
      url === undefined ? [] : [{ ...options[i]!, url: url.replace(/\/+$/, '') }],
    ),
    discover: model.backends.flatMap((backend, i) => toDiscovery(backend, options[i]!, path) ?? []),
  }
}

function toPricing({ input = 0, cached_input = input, output = 0, ...units }: NonNullable<Model['pricing']>): Pricing {
  return { input, cached_input, output, ...units }
}

/** Of a model with full attention and eight billion parameters. */
const ATTENTION_TOKENS = 32_000

function toRouting({
  policy = 'cost',
  session_header: header,
  attention_tokens = ATTENTION_TOKENS,
}: Routing): RoutingConfig {
  return { policy, session_header: header?.toLowerCase(), attention_tokens }
}

function toCapabilities(file: CapabilitiesFile, backends: readonly BackendOptions[]): Capabilities {
  const chatTools = file.chat_completions.tools ?? file.tools ?? false
  const vision = file.vision ?? file.messages.vision ?? false
  const isSupported = (member: 'echo' | 'suffix') =>
    backends.every(({ profile }) => profile.text_members.includes(member))
  return {
    ...file,
    vision,
    tools: file.tools ?? chatTools,
    reasoning_effort: { default: file.reasoning_effort.default },
    chat_completions: {
      ...file.chat_completions,
      tools: chatTools,
      streaming_tools: file.chat_completions.streaming_tools ?? chatTools,
      echo: file.chat_completions.echo ?? isSupported('echo'),
      suffix: file.chat_completions.suffix ?? isSupported('suffix'),
    },
    messages: { vision: file.messages.vision ?? vision },
  }
}

function toBackend(
  file: Backend,
  modelId: string,
  model: RoutingConfig,
  path: (name: string) => string,
): BackendOptions {
  return {
    model: file.model ?? modelId,
    engine: file.engine,
    profile: { ...PROFILES[file.engine], ...file.profile },
    zdr: file.zdr,
    weight: file.weight,
    drain: file.drain,
    max_concurrency: file.max_concurrency,
    tls: file.tls && toTls(file.tls, path),
    proxy: file.proxy,
    routing: {
      prefill_tokens_per_second: file.routing.prefill_tokens_per_second,
      decode_step_ms: file.routing.decode_step_ms,
      attention_tokens: file.routing.attention_tokens ?? model.attention_tokens,
      cache_tokens: file.routing.cache_tokens,
    },
    api_key: file.api_key,
    headers: Object.fromEntries(Object.entries(file.headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
}

function tlsFiles({ listen, models }: ConfigFile): readonly string[] {
  const backends = models.flatMap(entry => ('discover' in entry ? entry.defaults : entry).backends)
  const all = [listen, ...backends].flatMap(({ tls }) => {
    const { ca, cert, key }: NonNullable<Backend['tls']> = tls ?? {}
    return [ca ?? [], cert ?? [], key ?? []].flat()
  })
  return [...new Set(all)]
}

/** Has the content of the files, so that a reload with changed files opens new connections. */
function toTls({ servername, ...files }: NonNullable<Backend['tls']>, path: (name: string) => string) {
  const contents = Object.entries(files).map(([name, file]) => [name, readFileSync(path(file), 'utf8')])
  return { ...Object.fromEntries(contents), ...(servername !== undefined && { servername }) }
}

/** As in the schema, for accounts without a plan and for `batches: true`. */
const BATCH_PRICE_FACTOR = 0.5

/** The factor of prices for lines of batches. `plan`: name of the account's plan. */
export function batchPriceFactor({ plans }: Pick<Config, 'plans'>, plan: string | undefined): number {
  return plans[plan ?? '']?.batches?.priceFactor ?? BATCH_PRICE_FACTOR
}

function toPlan(plan: Plan, idOf: ReadonlyMap<string, string>): PlanConfig {
  const { tier, concurrency, priority, requests, limits, batches } = plan
  const priceFactor = typeof batches === 'object' ? batches.price_factor : BATCH_PRICE_FACTOR
  return {
    tier,
    concurrency,
    priority,
    requests,
    limits: toLimits(limits, idOf),
    batches: batches === false ? null : { priceFactor },
  }
}

function toAccount(file: Account, gateway: FormatOptions, idOf: ReadonlyMap<string, string>): AccountConfig {
  const id = file.id.toLowerCase()
  const formats = formatsOf(file, gateway, gateway)
  return {
    id,
    name: file.name ?? id,
    kind: file.kind,
    plan: file.plan,
    zdr_required: file.zdr_required,
    models: idsOf(file.models, idOf),
    credits_cents: file.credits_cents,
    formats,
    members: file.members,
    keys: file.keys.map(key => ({ ...toKey(key, formats ?? gateway, gateway), limits: toLimits(key.limits, idOf) })),
  }
}

function toKey(file: Key, above: FormatOptions, gateway: FormatOptions): Omit<KeyConfig, 'limits'> {
  return {
    id: file.id,
    user: file.user,
    kind: file.kind,
    // checks/accounts.ts ensures that exactly one of them is set.
    sha256: file.sha256?.toLowerCase() ?? sha256(file.secret ?? ''),
    endpoints: file.endpoints.map(host => host.toLowerCase()),
    formats: formatsOf(file, above, gateway),
  }
}

/** Limits whose models are named by their ids. */
function toLimits(limits: Plan['limits'], idOf: ReadonlyMap<string, string>): Plan['limits'] {
  if (limits?.models === undefined) return limits
  const models = Object.entries(limits.models).map(([name, own]) => [idOf.get(name) ?? name, own] as const)
  return { ...limits, models: Object.fromEntries(models) }
}

/** The id of each model, by its id and its aliases. */
function modelIds(models: readonly Model[]): ReadonlyMap<string, string> {
  return new Map(models.flatMap(({ id, aliases }) => [id, ...aliases].map(name => [name, id] as const)))
}

/** Replaces aliases by ids, and removes repeated ids. Keeps `*`. */
function idsOf(names: readonly string[], idOf: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set(names.map(name => idOf.get(name) ?? name))]
}

function lowerCase(hosts: readonly string[] | undefined): readonly string[] | undefined {
  return hosts?.map(host => host.toLowerCase())
}
