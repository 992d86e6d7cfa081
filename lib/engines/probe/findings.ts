/** What a server lists, and what a probe finds, as members of an entry of `models`. */
import type { JsonObject } from '../../base/json.ts'
import type { FoundFacts } from '../../config/config.ts'
import { type BackendProfile, PROFILES } from '../../config/profile.ts'
import type { DiscoveredModel, Discovery } from './discover.ts'
import type { ProbeResult } from './probe.ts'

/** The capabilities of a model that was not probed. */
export function listedCapabilities(
  { vision, reasoning }: { readonly [N in 'vision' | 'reasoning']?: true | undefined },
  features: Discovery['features'],
) {
  return {
    ...(vision && { vision }),
    tools: true,
    ...(reasoning && { reasoning }),
    ...(Object.keys(features).length > 0 && { chat_completions: { ...features } }),
  }
}

export function probedCapabilities({ capabilities }: Pick<ProbeResult, 'capabilities'>) {
  const { vision, tools, reasoning, chat_completions } = capabilities
  return { vision, tools, reasoning, chat_completions }
}

/** The member `profile` of a backend: only the differences from the profile of its engine. */
export function profileDifferences({
  profile,
  engine,
}: Pick<ProbeResult, 'profile' | 'engine'>): Partial<BackendProfile> {
  const base = PROFILES[engine]
  const names = Object.keys(profile) as (keyof BackendProfile)[]
  const different = names.filter(name => JSON.stringify(profile[name]) !== JSON.stringify(base[name]))
  return Object.fromEntries(different.map(name => [name, profile[name]]))
}

/** `result`: undefined if the model was not probed. */
export function factsOf(
  model: DiscoveredModel,
  { engine, features }: Pick<Discovery, 'engine' | 'features'>,
  result: ProbeResult | undefined,
): FoundFacts {
  const window = model.max_model_len ?? result?.maxModelLen
  const found = result === undefined ? listedCapabilities(model, features) : probedCapabilities(result)
  return {
    engine: result?.engine ?? engine,
    ...(window !== undefined && { max_model_len: window }),
    capabilities: found as JsonObject,
    profile: result === undefined ? null : (profileDifferences(result) as JsonObject),
  }
}
