/**
 * The configuration: the types of the file (generated/file.ts) with the differences below. Dependent values are
 * filled in, paths are absolute, secrets are hashed, and hosts are in lower case.
 */
import type { JsonObject } from '../base/json.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { ChainConfig } from './chain.ts'
import type {
  Account,
  AdminOidc,
  Backend,
  Capabilities as CapabilitiesFile,
  ConfigFile,
  ConsoleOidc,
  Endpoint,
  Key,
  Listen,
  Model,
  Plan,
  RequestLimits,
  Routing,
} from './generated/file.ts'
import type { BackendProfile } from './profile.ts'

/** Every member is present; a member that the file leaves out is undefined. */
type Complete<T> = { readonly [K in keyof Required<T>]: T extends Required<Pick<T, K>> ? T[K] : T[K] | undefined }

type Changed =
  | '$schema'
  | 'docs_url'
  | 'topup_url'
  | 'admin'
  | 'hosts'
  | Exclude<Switches, 'client_profile'>
  | 'clamp_max_tokens'
  | 'routing'
  | 'plugins'
  | 'models'
  | 'plans'
  | 'accounts'

/** Members that become `formats` (format-options.ts). */
type Switches = 'client_profile' | 'chat' | 'messages' | 'responses' | 'tools' | 'reasoning' | 'errors'

export interface Config extends Omit<ConfigFile, Changed> {
  /** Directory of the file, where relative paths start. */
  readonly baseDir: string
  /** Paths of all TLS files. A change of one causes a reload. */
  readonly tlsFiles: readonly string[]
  /** The file as written, with environment variables filled in. Secrets of clients' keys are hashed. */
  readonly file: JsonObject
  /** Without a slash at its end; undefined: the pages of this gateway. */
  readonly docs_url: string | undefined
  /** undefined: the page of the error insufficient_credits. */
  readonly topup_url: string | undefined
  readonly listen: Listen
  /** null: the operators' port is switched off. */
  readonly admin: Exclude<ConfigFile['admin'], false> | null
  /** Hosts without a port. null: every host that is not a dedicated endpoint. */
  readonly hosts: { readonly gateway: readonly string[] | null; readonly api: readonly string[] | null }
  readonly formats: FormatOptions
  readonly plugins: ChainConfig
  readonly models: readonly ModelConfig[]
  /** The entries of `models` that discover models, in the order of the file. */
  readonly modelSources: readonly ModelSourceConfig[]
  /** What these have found; empty unless the gateway runs. */
  readonly found: readonly FoundModel[]
  readonly plans: Readonly<Record<string, PlanConfig>>
  readonly accounts: readonly AccountConfig[]
}

export type IssuerConfig = Pick<ConsoleOidc, keyof ConsoleOidc & keyof AdminOidc>
export type ConsoleOidcConfig = ConsoleOidc
export type AdminOidcConfig = AdminOidc
export type Timeouts = ConfigFile['timeouts']
export type FilesConfig = ConfigFile['files']
export type EndpointConfig = Endpoint
export type RequestLimitsConfig = RequestLimits

export interface PlanConfig extends Complete<Omit<Plan, 'batches'>> {
  /** null: its accounts have no batches. */
  readonly batches: { readonly priceFactor: number } | null
}

/** undefined: the gateway has no batches. */
export type BatchesConfig = NonNullable<ConfigFile['batches']>
export type QueueConfig = NonNullable<Model['queue']>

/** Prices of a model in cents: of a million tokens, and of the units of its kind. */
export type Pricing = NonNullable<Model['pricing']> & Readonly<Record<'input' | 'cached_input' | 'output', number>>

export interface ModelConfig
  extends Complete<Omit<Model, 'owned_by' | 'pricing' | 'capabilities' | 'routing' | 'backends'>> {
  readonly owned_by: string
  /** Prices of tokens are 0 if the file has none. */
  readonly pricing: Pricing | undefined
  readonly capabilities: Capabilities
  /** The settings of the model over those of the gateway. */
  readonly routing: RoutingConfig
  /** Backends with a URL in the file. The pool also has the discovered ones. */
  readonly backends: readonly BackendConfig[]
  readonly discover: readonly DiscoveryConfig[]
}

export interface RoutingConfig {
  readonly policy: NonNullable<Routing['policy']>
  /** Name of the header, in lower case. */
  readonly session_header: string | undefined
  /** Position in a prompt at which attention doubles the cost of a token. */
  readonly attention_tokens: number
}

export interface Capabilities
  extends Required<Omit<CapabilitiesFile, 'reasoning_effort' | 'chat_completions' | 'messages'>> {
  readonly reasoning_effort: Complete<CapabilitiesFile['reasoning_effort']>
  readonly chat_completions: ChatCapabilities
  readonly messages: Required<CapabilitiesFile['messages']>
}

export type ChatCapabilities = Required<CapabilitiesFile['chat_completions']>

export interface BackendConfig extends BackendOptions {
  /** Base URL, without a slash at its end. */
  readonly url: string
  /** Rank from service discovery: used only while no backend of lower priority is reachable. Default: 0. */
  readonly priority?: number
}

/** The settings of a backend, without its address. */
export interface BackendOptions
  extends Complete<Omit<Backend, 'url' | 'model' | 'profile' | 'routing' | DiscoveryMember>> {
  readonly model: string
  /** The profile of the engine, with the members of `profile` in the file over it. */
  readonly profile: BackendProfile
  /** Configured estimates; undefined members are measured. */
  readonly routing: Complete<Omit<Backend['routing'], 'attention_tokens'>> & Pick<RoutingConfig, 'attention_tokens'>
}

type DiscoveryMember =
  | 'discover'
  | 'name'
  | 'type'
  | 'port'
  | 'scheme'
  | 'base_path'
  | 'path'
  | 'every_seconds'
  | 'servers'

/** The settings of all backends of a model, including discovered ones: one item for each entry of the file. */
export function backendOptions({ backends, discover }: ModelConfig): readonly BackendOptions[] {
  return discover.length === 0 ? backends : [...backends, ...discover.map(({ backend }) => backend)]
}

/** The parts of the base URL of a discovered backend, except for the host. */
interface UrlParts {
  readonly scheme: 'http' | 'https'
  /** Empty, or a path with a slash at its start and none at its end. */
  readonly basePath: string
  /** The port, unless the source reports one. */
  readonly port: number
}

export interface DnsSourceConfig extends UrlParts {
  readonly discover: 'dns'
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'SRV'
  /** DNS servers; undefined: those of the system, with its search domains. */
  readonly servers: readonly string[] | undefined
}

export interface FileSourceConfig extends UrlParts {
  readonly discover: 'file'
  readonly path: string
}

export type SourceConfig = DnsSourceConfig | FileSourceConfig

/** An entry of `backends` that discovers any number of them. */
export interface DiscoveryConfig {
  readonly source: SourceConfig
  readonly everySeconds: number
  /** The settings of each discovered backend. */
  readonly backend: BackendOptions
}

/** An entry of `models` that discovers models. */
export interface ModelSourceConfig {
  /** Equal for entries that ask the same servers in the same way. Contains secrets. */
  readonly key: string
  /** In logs and on pages: the URL, or `dns A vllm.default.svc`. */
  readonly name: string
  /** The base URL of one server, or the name of several. */
  readonly source: string | DnsSourceConfig
  readonly everySeconds: number
  readonly allow: readonly string[]
  /** Models are probed: they are of kind `chat`, and `defaults` has no capabilities. */
  readonly isProbed: boolean
  /** How each server is reached. */
  readonly backend: BackendOptions
}

/** A model at the servers that list it. */
export interface FoundModel {
  readonly id: string
  /** Key of the entry that has found it. */
  readonly source: string
  /** Base URLs. */
  readonly urls: readonly string[]
  readonly facts: FoundFacts
}

/** What the probe has found. */
export interface FoundFacts {
  readonly engine: Backend['engine']
  /** In tokens; absent: not reported. */
  readonly max_model_len?: number
  /** The member `capabilities` of a chat model. */
  readonly capabilities: JsonObject
  /** Differences from the profile of the engine; null: the model was not probed. */
  readonly profile: JsonObject | null
}

export interface AccountConfig extends Complete<Omit<Account, 'name' | 'keys' | Switches>> {
  readonly name: string
  /** undefined: those of the gateway apply. */
  readonly formats: FormatOptions | undefined
  readonly keys: readonly KeyConfig[]
}

export interface KeyConfig extends Complete<Omit<Key, 'secret' | 'sha256' | Switches>> {
  /** SHA-256 of the secret in lower-case hex. A `secret` in the file is hashed while the file is read, and not kept. */
  readonly sha256: string
  /** undefined: those of the account apply. */
  readonly formats: FormatOptions | undefined
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a window such as `30m`, `1h` or `7d`; undefined: no window, or longer than 366 days. */
export function windowMilliseconds(window: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(window) ?? []
  if (count === undefined || unit === undefined) return undefined
  const milliseconds = Number(count) * UNITS[unit]!
  return milliseconds <= 366 * 86_400_000 ? milliseconds : undefined
}
