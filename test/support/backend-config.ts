/** Backends as in a resolved configuration. */

import type { BackendConfig } from '../../lib/config/config.ts'
import { type BackendProfile, type Engine, PROFILES } from '../../lib/config/profile.ts'

/** Everything is measured. */
export const UNSET_ROUTING = {
  prefill_tokens_per_second: undefined,
  decode_step_ms: undefined,
  attention_tokens: 32_000,
  cache_tokens: undefined,
}

export function backendConfig(members: Partial<BackendConfig> = {}): BackendConfig {
  const { engine = 'vllm' } = members
  return {
    url: 'http://127.0.0.1:8000/v1',
    model: 'upstream-model',
    engine,
    profile: PROFILES[engine],
    zdr: false,
    weight: 1,
    drain: false,
    max_concurrency: undefined,
    tls: undefined,
    proxy: undefined,
    routing: UNSET_ROUTING,
    api_key: undefined,
    headers: {},
    ...members,
  }
}

/** A backend whose profile differs from its engine's. */
export function backendWith(profile: Partial<BackendProfile>, engine: Engine = 'vllm'): BackendConfig {
  return backendConfig({ engine, profile: { ...PROFILES[engine], ...profile } })
}
