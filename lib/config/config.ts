/**
 * The configuration as the gateway uses it: read, `${ENV}` filled in, validated, every default applied.
 * Member names are those of the file (schemas/config.json); docs/CONFIG.md says what each means.
 */

import type { JsonObject } from '../base/json.ts'
import type { FormatOptions } from '../canonical/format.ts'
import type { BackendProfile, Engine } from './profile.ts'

export interface Config {
  /** Directory of the file; relative paths start here. */
  readonly baseDir: string
  readonly brand: string
  /** Base of error.docs_url without a slash at its end; undefined: this gateway's own pages. */
  readonly docs_url: string | undefined
  /** `topup_url` of insufficient_credits; undefined: the page of that error. */
  readonly topup_url: string | undefined
  readonly listen: {
    readonly host: string
    readonly port: number
    readonly tls?: { readonly cert: string; readonly key: string }
  }
  readonly admin: { readonly host: string; readonly port: number } | null
  /** Lower case, without port. null: every host that is not a dedicated endpoint. */
  readonly hosts: { readonly gateway: readonly string[] | null; readonly api: readonly string[] | null }
  /** `sqlite:<absolute path>` or `postgres://…`. */
  readonly store: string
  /** `memory` or `redis://…`. */
  readonly limits_store: string
  /** Absolute path of a directory. */
  readonly journal: string
  /** How long request records are kept. */
  readonly retention_days: number
  readonly workers: number
  /** How long the port stays open after the wish to stop, while /readyz says so. */
  readonly drain_delay_seconds: number
  readonly drain_seconds: number
  readonly timeouts: Timeouts
  readonly body_limit_bytes: number
  readonly rate_limits_per_minute: Readonly<
    Record<'endpoints' | 'metrics' | 'requests' | 'request' | 'usage' | 'files', number>
  >
  readonly files: FilesConfig
  /** Sources of images that private addresses may serve: CIDR. */
  readonly image_fetch: { readonly allow: readonly string[] }
  /** Cross-origin requests: origins that may call, `*` for all; empty: off. */
  readonly cors: { readonly origins: readonly string[] }
  readonly log: { readonly level: string }
  readonly formats: FormatOptions
  /** null: the default chain. */
  readonly plugins: readonly PluginEntry[] | null
  readonly models: readonly ModelConfig[]
  readonly endpoints: readonly EndpointConfig[]
  readonly plans: Readonly<Record<string, PlanConfig>>
  readonly accounts: readonly AccountConfig[]
}

export interface Timeouts {
  /** How long a client may take for the head of a request. */
  readonly headers_ms: number
  /** How long it may take for all of it. */
  readonly request_ms: number
  /** Opening the connection, TLS included. */
  readonly connect_ms: number
  /** From the request to the first event or the whole head. */
  readonly first_byte_ms: number
  /** Between two reads from the backend. */
  readonly idle_ms: number
  /** How long a client may leave written bytes unread. */
  readonly client_idle_ms: number
  /** Silence after which a stream gets a comment. */
  readonly keep_alive_ms: number
}

export interface FilesConfig {
  /** Absolute path of a directory. */
  readonly path: string
  readonly max_bytes: number
  readonly max_total_bytes_per_user: number
  readonly max_files_per_user: number
  readonly retention_days: number
}

export interface PluginEntry {
  /** A built-in's name, an absolute path, or a package. */
  readonly use: string
  readonly enabled: boolean
  readonly options: JsonObject
}

export interface ModelConfig {
  readonly id: string
  readonly aliases: readonly string[]
  readonly owned_by: string
  readonly created: number
  readonly max_model_len: number | undefined
  /** Cents per million tokens. */
  readonly pricing: { readonly input: number; readonly cached_input: number; readonly output: number } | undefined
  readonly sampling: 'free' | 'fixed'
  readonly capabilities: Capabilities
  readonly max_concurrency: number | undefined
  readonly backends: readonly BackendConfig[]
}

export interface Capabilities {
  readonly vision: boolean
  readonly tools: boolean
  readonly reasoning: boolean | 'always'
  readonly reasoning_effort: { readonly default: string | undefined }
  readonly chat_completions: ChatCapabilities
  readonly messages: { readonly vision: boolean }
  readonly responses: Readonly<Record<string, boolean>>
  /** What differs on the ZDR partition. */
  readonly zdr: Partial<ChatCapabilities>
}

export interface ChatCapabilities {
  readonly n: boolean
  readonly grammar: boolean
  readonly regex: boolean
  readonly structured_outputs: boolean
  readonly tools: boolean
  readonly streaming_tools: boolean
  readonly preserve_thinking: boolean
  /** Text completions alone. */
  readonly echo: boolean
  readonly suffix: boolean
}

export interface BackendConfig {
  /** Base URL with the version prefix: `http://127.0.0.1:8000/v1`. */
  readonly url: string
  /** The model's name upstream. */
  readonly model: string
  readonly engine: Engine
  /** The engine's profile with the file's own `profile:` laid over it. */
  readonly profile: BackendProfile
  readonly zdr: boolean
  readonly weight: number
  readonly max_concurrency: number | undefined
  readonly api_key: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface EndpointConfig {
  readonly host: string
  readonly models: readonly string[]
}

export interface PlanConfig {
  readonly tier: string | undefined
  readonly concurrency: number | undefined
  readonly requests: { readonly limit: number; readonly window: string } | undefined
}

export interface AccountConfig {
  /** UUID, the pass_account_id. */
  readonly id: string
  readonly name: string
  readonly kind: 'serverless' | 'enterprise' | 'dedicated'
  readonly plan: string | undefined
  readonly zdr_required: boolean
  /** Model ids this account may use; `*` for all. */
  readonly models: readonly string[]
  /** Prepaid balance; undefined: not prepaid. */
  readonly credits_cents: number | undefined
  readonly formats: Partial<FormatOptions> | undefined
  readonly members: readonly { readonly user: string; readonly role: 'owner' | 'admin' | 'member' }[]
  readonly keys: readonly KeyConfig[]
}

export interface KeyConfig {
  readonly id: string
  /** undefined: a legacy key that belongs to no user. */
  readonly user: string | undefined
  readonly kind: 'serverless' | 'pass' | 'dedicated'
  /** SHA-256 of the secret, lower-case hex. A `secret` in the file is hashed while reading and dropped. */
  readonly sha256: string
  /** Dedicated endpoints this key opens. */
  readonly endpoints: readonly string[]
}
