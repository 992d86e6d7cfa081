/** Models of the file, of the store, and discovered ones (docs/ADMIN-API.md#models). */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { type DiscoveredEntry, discoveredModels, type ModelEntry } from '../config/discovered-models.ts'
import {
  effectiveModels,
  fileModels,
  namesOf,
  newProblems,
  type StoredModel,
  withServedModels,
} from '../config/served-models.ts'
import { fail } from '../errors/errors.ts'
import { listStoredModels, putStoredModel, removeStoredModel } from '../store/stored-models.ts'
import { type AdminContext, auditedInTurn } from './context.ts'
import { hideSecrets, showSecrets } from './model-secrets.ts'
import { refuseValue } from './values.ts'

/** `unused`: it no longer fits the file. `removed`: in the reply to the request that removes it. */
type ModelState = 'used' | 'unused' | 'hidden' | 'removed'

/** A model of the file or a discovered one, of the store, or of both. */
interface KnownModel {
  readonly id: string
  readonly ofFile: JsonObject | undefined
  readonly discovered: DiscoveredEntry | undefined
  /** null: it hides the model of the file, or the discovered one. */
  readonly stored: JsonObject | null | undefined
  readonly problem: string | undefined
}

/** `models`: in the order of the file, then discovered ones, then those of the store alone. */
export async function modelList(context: AdminContext): Promise<JsonObject> {
  const known = await knownModels(context)
  return { models: [...known.values()].map(model => modelJson(model)) }
}

export async function modelOf(context: AdminContext, rawId: string): Promise<JsonObject> {
  return modelJson((await knownModels(context)).get(idOf(rawId)) ?? unknownModel())
}

/** Stores a model. Refuses the id of a model that is in use. */
export function createModel(context: AdminContext, entry: JsonObject): Promise<JsonObject> {
  const id = String(entry.id)
  return change(context, 'model.create', id, model => {
    if (model !== undefined && model.stored !== null) refuseValue('id', 'is the id of a model already: change that one')
    return showSecrets(entry, {})
  })
}

/** Replaces members of a model; null removes one. `hidden: false` shows a hidden model again. */
export async function changeModel(
  context: AdminContext,
  rawId: string,
  { hidden, ...members }: JsonObject,
): Promise<JsonObject> {
  const id = idOf(rawId)
  if (members.id !== undefined && members.id !== id) refuseValue('id', 'cannot be changed: create another model')
  return change(context, 'model.change', id, model => {
    const { stored } = model ?? unknownModel()
    if (stored === null && hidden !== false)
      fail('http_400', { problem: "The model is hidden: send 'hidden' as false to show it." })
    if (hidden === true) refuseValue('hidden', 'cannot be true: delete the model')
    const present = presentOf(model)
    if (Object.keys(members).length === 0) return stored ?? undefined
    const kept = Object.entries({ ...present, ...showSecrets(members, present) }).filter(([, value]) => value !== null)
    return Object.fromEntries(kept)
  })
}

/** Removes a model from the store, so that the one of the file counts again; hides a model that is not stored. */
export async function deleteModel(context: AdminContext, rawId: string): Promise<JsonObject> {
  return change(context, 'model.delete', idOf(rawId), model => {
    const { stored } = model ?? unknownModel()
    if (stored === null) unknownModel()
    return stored === undefined ? null : undefined
  })
}

/** `next`: the entry to store; null hides the model of the file; undefined removes the model from the store. */
async function change(
  context: AdminContext,
  action: string,
  id: string,
  next: (model: KnownModel | undefined) => JsonObject | null | undefined,
): Promise<JsonObject> {
  if (!context.config.stored_models)
    fail('http_400', { problem: "The configuration does not have 'stored_models: true': change the file instead." })
  return auditedInTurn(context, async ({ store, config, now }) => {
    const all = await knownModels({ store, config })
    const model = all.get(id)
    const entry = next(model)
    if (isObject(entry)) refuseReferences(entry, '')
    const others = [...all.values()].flatMap(other => (other.problem === undefined ? storedOf(other) : []))
    const rest = others.filter(other => other.id !== id)
    checkNew(id, newProblems(config, others, entry === undefined ? rest : [...rest, { id, entry }]))
    if (entry === undefined) await removeStoredModel(store, id)
    else await putStoredModel(store, { id, entry }, now)
    const changed = (await knownModels({ store, config })).get(id)
    const result = changed === undefined ? modelJson(model!, 'removed') : modelJson(changed)
    const before = model === undefined || model.stored === null ? undefined : modelJson(model)
    const after = changed === undefined || changed.stored === null ? undefined : result
    const isSame = isDeepStrictEqual(model?.stored, entry)
    return { change: isSame ? undefined : { action, target: id, before, after }, result }
  })
}

async function knownModels({
  store,
  config,
}: Pick<AdminContext, 'store' | 'config'>): Promise<ReadonlyMap<string, KnownModel>> {
  const stored = config.stored_models ? effectiveModels(config, await listStoredModels(store)) : []
  const { unused } = withServedModels(config, stored)
  const problemOf = (id: string, origin: string) => unused.find(one => one.id === id && one.origin === origin)?.problem
  const entries = new Map(stored.map(({ id, entry }) => [id, entry]))
  const ofFile = new Map(fileModels(config).map(model => [model.id, model]))
  const aliases = stored.flatMap(({ entry }) => (entry === null ? [] : namesOf([entry as ModelEntry]).slice(1)))
  const taken = new Set([...namesOf([...ofFile.values()]), ...aliases])
  const found = new Map(discoveredModels(config, taken).map(one => [one.id, one]))
  const ids = new Set([...ofFile.keys(), ...found.keys(), ...entries.keys()])
  return new Map(
    Array.from(ids, id => {
      const problem = problemOf(id, entries.has(id) ? 'stored' : 'discovered')
      const known = { id, ofFile: ofFile.get(id), discovered: found.get(id), stored: entries.get(id), problem }
      return [id, known] as const
    }),
  )
}

function presentOf(model: KnownModel | undefined): JsonObject {
  return model?.stored ?? model?.ofFile ?? model?.discovered?.entry ?? {}
}

function storedOf({ id, stored }: KnownModel): readonly StoredModel[] {
  return stored === undefined ? [] : [{ id, entry: stored }]
}

function modelJson(known: KnownModel, state?: ModelState): JsonObject {
  const { id, ofFile, discovered, stored, problem } = known
  const present = stored === null ? 'hidden' : 'used'
  const origin = ofFile === undefined && discovered !== undefined ? 'discovered' : 'file'
  return {
    id,
    source: stored == null ? origin : 'store',
    in_file: ofFile !== undefined,
    state: state ?? (problem === undefined ? present : 'unused'),
    problem: problem ?? null,
    model: hideSecrets(presentOf(known)),
    discovered: discovered === undefined ? null : foundJson(discovered),
  }
}

/** Where a model was found, and what the probe found. */
function foundJson({ source, found: { urls, facts } }: DiscoveredEntry): JsonObject {
  return {
    by: source.name,
    urls: [...urls],
    engine: facts.engine,
    max_model_len: facts.max_model_len ?? null,
    capabilities: facts.capabilities,
    probed: facts.profile !== null,
  }
}

/** Refuses the first problem of the model, else the first one that it causes elsewhere. */
function checkNew(id: string, problems: ReturnType<typeof newProblems>): void {
  const problem = problems.find(({ model }) => model === id) ?? problems[0]
  if (problem === undefined) return
  const { model, path, message } = problem
  const end = message.endsWith('?') ? '' : '.'
  if (model === id && path !== '') {
    fail('schema_validation_failed', { problem: `'${path}': ${message}${end}` }, { param: path, ownParam: true })
  }
  const where = model === undefined ? `'${path}' in the file` : `'${path}' of model '${model}'`
  fail('schema_validation_failed', { problem: `${where}: ${message}${end}` })
}

/** Variables are for the file alone: an operator could send any variable of the process to a server of their own. */
function refuseReferences(value: Json | undefined, path: string): void {
  if (typeof value === 'string' && value.includes('${'))
    refuseValue(path, 'must not contain ${: environment variables are replaced in the file alone')
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) refuseReferences(member, path === '' ? name : `${path}.${name}`)
}

/** The id of a model in a path, in which its `/` is percent-encoded. */
export function idOf(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return unknownModel()
  }
}

function unknownModel(): never {
  fail('http_404', { problem: 'There is no model with this id.' })
}
