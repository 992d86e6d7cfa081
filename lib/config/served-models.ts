/** The models of the file, those that its entries discover, and over both those that operators have stored. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { sha256 } from '../base/sha256.ts'
import { checkAccounts } from './checks/accounts.ts'
import { ModelNames } from './checks/model-names.ts'
import { checkModels } from './checks/models.ts'
import { checkFallbacks, checkMirrors } from './checks/related-models.ts'
import { checkEgress } from './checks/tls.ts'
import type { Config, FoundModel } from './config.ts'
import { discoveredModels, type ModelEntry } from './discovered-models.ts'
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

/** The entries of `models` in the file that are models. */
export function fileModels({ file }: Pick<Config, 'file'>): readonly ModelEntry[] {
  return (file.models as JsonObject[]).filter((entry): entry is ModelEntry => entry.discover === undefined)
}

/** The stored models without those that hide a model which neither the file has nor an entry has found. */
export function effectiveModels(config: Config, stored: readonly StoredModel[]): readonly StoredModel[] {
  const ids = new Set([...fileModels(config), ...config.found].map(({ id }) => id))
  return stored.filter(({ id, entry }) => entry !== null || ids.has(id))
}

/** Why a model is not used. */
export interface UnusedModel {
  readonly id: string
  readonly origin: 'stored' | 'discovered'
  readonly problem: string
}

/** The configuration with the discovered and the stored models that can be used, and why others cannot. */
export function withServedModels(
  config: Config,
  stored: readonly StoredModel[],
): { readonly config: Config; readonly unused: readonly UnusedModel[] } {
  const unused: UnusedModel[] = []
  // Hidden models are last: a hidden model to which the file refers is the first to be dropped.
  let used = effectiveModels(config, stored).toSorted((a, b) => Number(a.entry === null) - Number(b.entry === null))
  const ofFile = new Set(namesOf(fileModels(config)))
  let found: readonly FoundModel[] = discoveredModels(config, ofFile).map(one => one.found)
  while (used.length + found.length > 0) {
    const { changed, problems } = tryModels({ ...config, found }, used, false)
    if (changed !== undefined) return { config: { ...changed, found: config.found }, unused }
    const named = new Map(problems.map(problem => [problem.model, describe(problem)] as const))
    const problemOf = (id: string) => named.get(id) ?? describe(problems[0]!)
    const atStored = used.filter(({ id }) => named.has(id))
    const atFound = found.filter(({ id }) => named.has(id) && !atStored.some(one => one.id === id))
    const isNamed = atStored.length + atFound.length > 0
    const culprits = isNamed ? atFound : found.filter(one => !isUsable({ ...config, found: [one] }))
    const dropped = isNamed || culprits.length > 0 ? atStored : used.slice(-1)
    const lost = isNamed || culprits.length + dropped.length > 0 ? culprits : found.slice(-1)
    for (const { id } of dropped) unused.push({ id, origin: 'stored', problem: problemOf(id) })
    for (const { id } of lost) unused.push({ id, origin: 'discovered', problem: problemOf(id) })
    used = used.filter(one => !dropped.includes(one))
    found = found.filter(one => !lost.includes(one))
  }
  return { config, unused }
}

function isUsable(config: Config): boolean {
  return tryModels(config, [], false).changed !== undefined
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
  const models = merged(config, stored)
  const problems: ModelProblem[] = []
  const report = (path: string, text: string) => {
    const { id, rest } = placeOf(path, models)
    const message = text.replace(/\bmodels\.\d+[\w.]*/g, place => describePlace(placeOf(place, models)))
    problems.push(id === undefined ? { path, message } : { model: id, path: rest, message })
  }
  const doubt = isStrict ? report : () => {}
  // Entries that discover models are last, so that the positions of models stay.
  const sources = (config.file.models as JsonObject[]).filter(({ discover }) => discover !== undefined)
  // Validation adds defaults.
  const file = structuredClone({ ...config.file, models: [...models, ...sources] }) as JsonObject
  const { accepted, problems: invalid } = validateFile(file, new Set())
  for (const { path, message } of invalid) report(path, message)
  const names = new ModelNames(file)
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
  checkMirrors(resolved.models, names, report)
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
function placeOf(path: string, models: readonly ModelEntry[]): Place {
  const [, index, rest = ''] = /^models\.(\d+)(?:\.(.*))?$/.exec(path) ?? []
  return { id: index === undefined ? undefined : models[Number(index)]?.id, rest }
}

function describePlace({ id, rest }: Place): string {
  return rest === '' ? `model '${id}'` : `${rest} of model '${id}'`
}

/** The models of the file in their order, then those that only the store has, then discovered ones. */
function merged(config: Config, stored: readonly StoredModel[]): readonly ModelEntry[] {
  const own = fileModels(config)
  const entries = new Map(stored.map(({ id, entry }) => [id, entry as ModelEntry | null]))
  const ids = new Set(own.map(({ id }) => id))
  const kept = own.flatMap(model => entries.get(model.id) ?? (entries.has(model.id) ? [] : [model]))
  const added = [...entries].flatMap(([id, entry]) => (ids.has(id) || entry === null ? [] : [entry]))
  const others = [...kept, ...added.toSorted((a, b) => (a.id < b.id ? -1 : 1))]
  const taken = new Set([...entries.keys(), ...namesOf(others)])
  return [...others, ...discoveredModels(config, taken).map(({ entry }) => entry)]
}

/** Ids and aliases. */
export function namesOf(models: readonly ModelEntry[]): readonly string[] {
  return models.flatMap(({ id, aliases }) => [id, ...(Array.isArray(aliases) ? aliases.map(String) : [])])
}
