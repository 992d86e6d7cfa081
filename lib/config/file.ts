/** The file once its schema (schemas/config.json) has accepted it and filled in its defaults. */

import type { FormatOptions } from '../canonical/format.ts'
import type {
  AccountConfig,
  BackendConfig,
  Capabilities,
  ChatCapabilities,
  Config,
  KeyConfig,
  ModelConfig,
  PlanConfig,
} from './config.ts'
import type { BackendProfile } from './profile.ts'

type Same =
  | 'brand'
  | 'listen'
  | 'store'
  | 'limits_store'
  | 'journal'
  | 'retention_days'
  | 'workers'
  | 'drain_delay_seconds'
  | 'drain_seconds'
  | 'timeouts'
  | 'body_limit_bytes'
  | 'rate_limits_per_minute'
  | 'files'
  | 'image_fetch'
  | 'cors'
  | 'log'
  | 'endpoints'

export interface ConfigFile extends Pick<Config, Same> {
  readonly docs_url?: string
  readonly topup_url?: string
  readonly admin: NonNullable<Config['admin']> | false
  readonly hosts: { readonly gateway?: readonly string[]; readonly api?: readonly string[] }
  readonly messages: MessagesSwitches
  readonly responses: FormatOptions['responses']
  readonly clamp_max_tokens: FormatOptions['clamp_max_tokens']
  readonly plugins?: NonNullable<Config['plugins']>
  readonly models: readonly ModelFile[]
  readonly plans: Readonly<Record<string, Partial<PlanConfig>>>
  readonly accounts: readonly AccountFile[]
}

export interface MessagesSwitches {
  /** YAML 1.2 reads `on` as text and `true` as a boolean. */
  readonly adaptive_thinking: 'on' | 'off' | boolean
  readonly tool_images_without_vision: FormatOptions['messages']['tool_images_without_vision']
}

export interface ModelFile
  extends Pick<ModelConfig, 'id' | 'aliases' | 'created' | 'sampling'>,
    Partial<Pick<ModelConfig, 'owned_by' | 'max_model_len' | 'max_concurrency'>> {
  readonly pricing?: { readonly input: number; readonly cached_input?: number; readonly output: number }
  readonly capabilities: CapabilitiesFile
  readonly backends: readonly BackendFile[]
}

export interface CapabilitiesFile
  extends Pick<Capabilities, 'reasoning' | 'responses' | 'zdr'>,
    Partial<Pick<Capabilities, 'vision' | 'tools'>> {
  readonly reasoning_effort: Partial<Capabilities['reasoning_effort']>
  readonly chat_completions: Omit<ChatCapabilities, 'tools' | 'streaming_tools'> &
    Partial<Pick<ChatCapabilities, 'tools' | 'streaming_tools'>>
  readonly messages: Partial<Capabilities['messages']>
}

export interface BackendFile
  extends Pick<BackendConfig, 'url' | 'engine' | 'zdr' | 'weight' | 'headers'>,
    Partial<Pick<BackendConfig, 'model' | 'max_concurrency' | 'api_key'>> {
  readonly profile: Partial<BackendProfile>
}

export interface AccountFile
  extends Pick<AccountConfig, 'id' | 'kind' | 'zdr_required' | 'models' | 'members'>,
    Partial<Pick<AccountConfig, 'name' | 'plan' | 'credits_cents'>> {
  readonly messages?: Partial<MessagesSwitches>
  readonly responses?: Partial<FormatOptions['responses']>
  readonly keys: readonly KeyFile[]
}

/** Exactly one of `secret` and `sha256`. */
export interface KeyFile
  extends Pick<KeyConfig, 'id' | 'kind' | 'endpoints'>,
    Partial<Pick<KeyConfig, 'user' | 'sha256'>> {
  readonly secret?: string
}
