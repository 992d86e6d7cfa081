/** Models that operators have stored, over those of the file. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { checkAccounts } from './checks/accounts.ts'
import { checkModels, modelNames } from './checks/models.ts'
import { checkFallbacks, checkMirrors } from './checks/related-models.ts'
import { checkEgress } from './checks/tls.ts'
import type { Config } from './config.ts'
import type { Problem } from './problems.ts'
import { resolveConfig } from './resolve.ts'
import { validateFile } from './schema.ts'

export interface StoredModel {
  readonly id: string
  /** An entry of `models`; null: the model of the file with this id is hidden. */
  readonly entry: JsonObject | null
}

/** A problem of the configuration. `model`: the id of the model that has it, and `path` is inside of its entry. */
export interface ModelProblem extends Problem {
  readonly model?: string
}

/**
 * The file with the values that passed the schema, without its defaults and without secrets of clients' keys.
 * `written`: the file before the schema has added defaults to it.
 */
export function writtenFile(written: Json, accepted: Json): JsonObject {
  const file = withoutDefaults(written, accepted) as JsonObject & { accounts?: JsonObject[] }
  for (const { keys } of file.accounts ?? []) {
    for (const key of (keys ?? []) as JsonObject[]) {
      if (key.secret !== undefined) key.sha256 = sha256(String(key.secret))
      delete key.secret
    }
  }
  return file
}

function withoutDefaults(written: Json, accepted: Json): Json {
  if (Array.isArray(written)) return written.map((item, i) => withoutDefaults(item, (accepted as Json[])[i]!))
  if (!isObject(written)) return accepted
  const members = Object.entries(written).map(([name, value]) => {
    return [name, withoutDefaults(value ?? null, (accepted as JsonObject)[name]!)] as const
  })
  return Object.fromEntries(members)
}

/** The entries of `models` in the file. */
export function fileModels({ file }: Pick<Config, 'file'>): readonly (JsonObject & { readonly id: string })[] {
  return file.models as (JsonObject & { id: string })[]
}

/** The stored models without those that hide a model which the file no longer has. */
export function effectiveModels(config: Config, stored: readonly StoredModel[]): readonly StoredModel[] {
  const ids = new Set(fileModels(config).map(({ id }) => id))
  return stored.filter(({ id, entry }) => entry !== null || ids.has(id))
}

/** The configuration with the stored models that can be used, and why others cannot. */
export function withStoredModels(
  config: Config,
  stored: readonly StoredModel[],
): { readonly config: Config; readonly unused: ReadonlyMap<string, string> } {
  const unused = new Map<string, string>()
  // Hidden models are last: a hidden model to which the file refers is the first to be dropped.
  let used = effectiveModels(config, stored).toSorted((a, b) => Number(a.entry === null) - Number(b.entry === null))
  while (used.length > 0) {
    const { changed, problems } = tryModels(config, used, false)
    if (changed !== undefined) return { config: changed, unused }
    const named = new Map(problems.map(problem => [problem.model, describe(problem)] as const))
    const at = used.filter(({ id }) => named.has(id))
    const dropped = at.length > 0 ? at : used.slice(-1)
    for (const { id } of dropped) unused.set(id, named.get(id) ?? describe(problems[0]!))
    used = used.filter(one => !dropped.includes(one))
  }
  return { config, unused }
}

/** The problems that `sluiceway check` would find with `next` and does not find with `before`. */
export function newProblems(
  config: Config,
  before: readonly StoredModel[],
  next: readonly StoredModel[],
): readonly ModelProblem[] {
  const known = new Set(tryModels(config, before, true).problems.map(describe))
  return tryModels(config, next, true).problems.filter(problem => !known.has(describe(problem)))
}

/** `model 'm': backends.0.url: must be a URL` */
function describe({ model, path, message }: ModelProblem): string {
  return [model === undefined ? '' : `model '${model}'`, path, message].filter(part => part !== '').join(': ')
}

interface Tried {
  /** undefined: there is a problem. */
  readonly changed: Config | undefined
  readonly problems: readonly ModelProblem[]
}

/** `isStrict`: probable mistakes are problems too. */
function tryModels(config: Config, stored: readonly StoredModel[], isStrict: boolean): Tried {
  const models = merged(fileModels(config), stored)
  const problems: ModelProblem[] = []
  const report = (path: string, text: string) => {
    const { id, rest } = placeOf(path, models)
    const message = text.replace(/\bmodels\.\d+[\w.]*/g, place => describePlace(placeOf(place, models)))
    problems.push(id === undefined ? { path, message } : { model: id, path: rest, message })
  }
  const doubt = isStrict ? report : () => {}
  // Validation adds defaults.
  const file = structuredClone({ ...config.file, models: [...models] }) as JsonObject
  const { accepted, problems: invalid } = validateFile(file, new Set())
  for (const { path, message } of invalid) report(path, message)
  const names = modelNames(file)
  checkModels(file, names, report, doubt)
  checkAccounts(file, names, report, doubt)
  // A certificate of the file that can no longer be read is no problem of a stored model.
  const ids = new Set(stored.map(({ id }) => id))
  let isReadable = true
  checkEgress(file, config.baseDir, (path, message) => {
    if (!ids.has(placeOf(path, models).id ?? '')) return
    report(path, message)
    isReadable = false
  })
  if (accepted === undefined || !isReadable) return { changed: undefined, problems }
  const resolved = resolveConfig(accepted, config.baseDir)
  checkFallbacks(resolved.models, report)
  checkMirrors(resolved.models, report)
  if (problems.length > 0) return { changed: undefined, problems }
  const { models: own, endpoints, plans, accounts } = resolved
  return { changed: { ...config, models: own, endpoints, plans, accounts }, problems }
}

interface Place {
  /** undefined: the path is not that of a model. */
  readonly id: string | undefined
  /** The path inside of the entry. */
  readonly rest: string
}

/** The model at a path: `models.1.backends.0.url`. */
function placeOf(path: string, models: readonly Entry[]): Place {
  const [, index, rest = ''] = /^models\.(\d+)(?:\.(.*))?$/.exec(path) ?? []
  return { id: index === undefined ? undefined : models[Number(index)]?.id, rest }
}

function describePlace({ id, rest }: Place): string {
  return rest === '' ? `model '${id}'` : `${rest} of model '${id}'`
}

type Entry = JsonObject & { readonly id: string }

/** The models of the file in their order, then those that only the store has. */
function merged(own: readonly Entry[], stored: readonly StoredModel[]): readonly Entry[] {
  const entries = new Map(stored.map(({ id, entry }) => [id, entry as Entry | null]))
  const ids = new Set(own.map(({ id }) => id))
  const kept = own.flatMap(model => entries.get(model.id) ?? (entries.has(model.id) ? [] : [model]))
  const added = [...entries].flatMap(([id, entry]) => (ids.has(id) || entry === null ? [] : [entry]))
  return [...kept, ...added.toSorted((a, b) => (a.id < b.id ? -1 : 1))]
}
