/** Corrects the configuration of a backend where its server contradicts it. */
import { isDeepStrictEqual } from 'node:util'
import type { BackendConfig, ModelConfig } from '../../config/config.ts'
import { type Engine, PROFILES } from '../../config/profile.ts'

/** What a server reports about itself and one of its models. Each is undefined if it is not certain. */
export interface ServerFacts {
  readonly engine?: Engine | undefined
  /** Context window in tokens. */
  readonly window?: number | undefined
}

/** What is wrong in the configuration: a sentence that follows the name of the backend. null: nothing is known. */
export function contradiction(
  { max_model_len: limit }: ModelConfig,
  { engine }: BackendConfig,
  facts: ServerFacts,
): string | null {
  const problems: string[] = []
  if (hasOtherEngine(engine, facts)) problems.push(`runs ${facts.engine}, but its \`engine\` is ${engine}`)
  if (limit !== undefined && facts.window !== undefined && facts.window < limit)
    problems.push(`has a window of ${facts.window} tokens, but \`max_model_len\` is ${limit}`)
  return problems.length === 0 ? null : problems.join('; it ')
}

/** Every engine is a server of the engine `openai`. */
function hasOtherEngine(engine: Engine, facts: ServerFacts): boolean {
  return facts.engine !== undefined && engine !== 'openai' && facts.engine !== engine
}

/** By the configured backend. The same object shows the pool that nothing has changed. */
const corrected = new WeakMap<BackendConfig, BackendConfig>()

/** The backend with the profile of its engine. Members that `profile` sets stay. */
function correctedBackend(backend: BackendConfig, facts: ServerFacts): BackendConfig {
  if (!hasOtherEngine(backend.engine, facts)) return backend
  const engine = facts.engine!
  const known = corrected.get(backend)
  if (known?.engine === engine) return known
  const usual: Readonly<Record<string, unknown>> = { ...PROFILES[backend.engine] }
  const own = Object.entries(backend.profile).filter(([name, value]) => !isDeepStrictEqual(value, usual[name]))
  const result = { ...backend, engine, profile: { ...PROFILES[engine], ...Object.fromEntries(own) } }
  corrected.set(backend, result)
  return result
}

/**
 * The model as its servers report it; the same object if none contradicts it. `facts`: in the order of its backends.
 * The window is the largest of the backends, because a backend refuses what does not fit its own.
 */
export function correctedModel(model: ModelConfig, facts: readonly ServerFacts[]): ModelConfig {
  if (model.backends.every((backend, i) => contradiction(model, backend, facts[i]!) === null)) return model
  const backends = model.backends.map((backend, i) => correctedBackend(backend, facts[i]!))
  const { max_model_len: limit, capabilities } = model
  const windows = facts.map(({ window = Number.POSITIVE_INFINITY }) => window)
  const isSent = (member: 'echo' | 'suffix') => backends.every(({ profile }) => profile.text_members.includes(member))
  const hasOtherProfile = backends.some((backend, i) => backend !== model.backends[i])
  const { echo, suffix } = capabilities.chat_completions
  const text = hasOtherProfile && { echo: echo && isSent('echo'), suffix: suffix && isSent('suffix') }
  return {
    ...model,
    backends,
    max_model_len: limit && Math.min(limit, Math.max(...windows)),
    capabilities: { ...capabilities, chat_completions: { ...capabilities.chat_completions, ...text } },
  }
}
