/** The models that entries with `discover` have found, as entries of `models`. */
import { matchesGlob } from '../base/glob.ts'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Config, FoundModel, ModelSourceConfig } from './config.ts'

/** A model that an entry has found. */
export interface DiscoveredEntry {
  readonly id: string
  /** The entry of `models` with which it is served. */
  readonly entry: ModelEntry
  readonly source: ModelSourceConfig
  readonly found: FoundModel
}

export type ModelEntry = JsonObject & { readonly id: string }

/** The models that are found. `taken`: names of other models. The first entry that finds an id wins. */
export function discoveredModels(
  { file, modelSources, found }: Pick<Config, 'file' | 'modelSources' | 'found'>,
  taken: ReadonlySet<string>,
): readonly DiscoveredEntry[] {
  const entries = (file.models as readonly JsonObject[]).filter(({ discover }) => discover !== undefined)
  const models = new Map<string, DiscoveredEntry>()
  for (const [i, source] of modelSources.entries()) {
    for (const one of found) {
      const { id } = one
      if (one.source !== source.key || taken.has(id) || models.has(id) || !isAllowed(source, id)) continue
      models.set(id, { id, entry: entryOf(one, entries[i]!.defaults), source, found: one })
    }
  }
  return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

export function isAllowed({ allow }: Pick<ModelSourceConfig, 'allow'>, id: string): boolean {
  return allow.some(glob => matchesGlob(glob, id))
}

/** Members in `defaults` replace what was found. */
function entryOf({ id, urls, facts }: FoundModel, defaults: Json | undefined): ModelEntry {
  const { backends, fallback, mirror, ...members } = isObject(defaults) ? defaults : {}
  const [template] = Array.isArray(backends) ? backends : []
  const { profile, ...backend } = isObject(template) ? template : {}
  // The findings are differences from the profile of the engine that was found.
  const isSameEngine = backend.engine === undefined || backend.engine === facts.engine
  const findings = { ...(isSameEngine && facts.profile), ...(isObject(profile) && profile) }
  return {
    ...(facts.max_model_len !== undefined && { max_model_len: facts.max_model_len }),
    ...((members.kind ?? 'chat') === 'chat' && { capabilities: facts.capabilities }),
    ...members,
    id,
    // A model cannot serve in place of itself.
    ...(Array.isArray(fallback) && { fallback: fallback.filter(name => name !== id) }),
    ...(isObject(mirror) && mirror.to !== id && { mirror }),
    backends: urls.map(url => ({
      engine: facts.engine,
      ...backend,
      ...(Object.keys(findings).length > 0 && { profile: findings }),
      url,
    })),
  }
}
