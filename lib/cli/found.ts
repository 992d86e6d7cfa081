/** What a probe has found, as members of a configuration. */
import { type BackendProfile, PROFILES } from '../config/profile.ts'
import type { ProbeResult } from '../engines/probe/probe.ts'

/** `capabilities` of a model. */
export function foundCapabilities({ capabilities }: Pick<ProbeResult, 'capabilities'>) {
  const { vision, tools, reasoning, chat_completions } = capabilities
  return { vision, tools, reasoning, chat_completions }
}

/** `profile` of a backend: only what differs from the engine's named profile. */
export function profileDifferences({
  profile,
  engine,
}: Pick<ProbeResult, 'profile' | 'engine'>): Partial<BackendProfile> {
  const usual = PROFILES[engine]
  const names = Object.keys(profile) as (keyof BackendProfile)[]
  const different = names.filter(name => JSON.stringify(profile[name]) !== JSON.stringify(usual[name]))
  return Object.fromEntries(different.map(name => [name, profile[name]]))
}
