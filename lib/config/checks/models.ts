/** Checks on models, their backends and their capabilities. */

import type { JsonObject } from '../../base/json.ts'
import { EFFORTS } from '../../canonical/request.ts'
import { suggestion } from '../../text/nearest.ts'
import { type BackendProfile, ENGINES, PROFILES } from '../profile.ts'
import { checkDiscovery } from './discovery.ts'
import { type Item, object, objects, type Report, text, texts, Unique } from './view.ts'

/** Ids and aliases, and whether a backend with zero data retention is behind each. */
export type ModelNames = ReadonlyMap<string, { readonly zdr: boolean }>

export function modelNames(file: JsonObject): ModelNames {
  const names = new Map<string, { zdr: boolean }>()
  for (const { value: model } of objects(file, 'models')) {
    const facts = { zdr: objects(model, 'backends').some(({ value }) => value.zdr === true) }
    for (const name of [text(model, 'id'), ...texts(model, 'aliases').map(({ value }) => value)]) {
      if (name !== undefined) names.set(name, facts)
    }
  }
  return names
}

/** `doubt`: reports what is hardly meant, and a gateway can run with. */
export function checkModels(file: JsonObject, names: ModelNames, report: Report, doubt: Report): void {
  const unique = new Unique(report)
  for (const { path, value: model } of objects(file, 'models')) {
    const id = text(model, 'id')
    unique.claim(id, `${path}.id`, first => `'${id}' is the name of ${first} already`)
    for (const { path: at, value: alias } of texts(model, 'aliases', path)) {
      unique.claim(alias, at, first => `'${alias}' is the name of ${first} already`)
    }
    checkCapabilities(model, path, report)
    checkBackends(model, path, report, doubt)
    checkReferences(texts(model, 'fallback', path), names, report)
  }
  for (const { path, value: endpoint } of objects(file, 'endpoints')) {
    checkReferences(texts(endpoint, 'models', path), names, report)
  }
}

/** Refuses names that no model has. */
export function checkReferences(references: readonly Item<string>[], names: ModelNames, report: Report): void {
  for (const { path, value: name } of references) {
    if (!names.has(name)) report(path, `there is no model '${name}'${suggestion(name, names.keys())}`)
  }
}

/**
 * Capabilities without effect are accepted, because operators copy objects from model to model. A default effort of `none` is
 * refused for a model that always reasons: the model card would show a default that never applies.
 */
function checkCapabilities(model: JsonObject, path: string, report: Report): void {
  const capabilities = object(model, 'capabilities')
  const effort = text(object(capabilities, 'reasoning_effort'), 'default')
  if (effort === 'none' && capabilities.reasoning === 'always') {
    report(`${path}.capabilities.reasoning_effort.default`, "cannot be 'none' for a model that always reasons")
  }
}

function checkBackends(model: JsonObject, path: string, report: Report, doubt: Report): void {
  const capabilities = object(model, 'capabilities')
  const unique = new Unique(doubt)
  for (const { path: at, value: backend } of objects(model, 'backends', path)) {
    unique.claim(
      identityOf(backend, text(model, 'id')),
      at,
      first => `is the same backend as ${first}: give one of them a higher weight`,
    )
    checkDiscovery(backend, at, report)
    const url = text(backend, 'url')
    checkUrl(url, `${at}.url`, report)
    checkHeaders(backend, at, report)
    checkDecoding(capabilities, backend, at, report)
    checkEfforts(backend, at, doubt)
    if (url !== undefined && ROUTE.test(url))
      doubt(`${at}.url`, 'ends with a route: give what stands before it, such as http://127.0.0.1:8000/v1')
  }
  const all = objects(model, 'backends')
  const isDiscovered = objects(model, 'discover').length > 0
  if (all.length > 0 && !isDiscovered && all.every(({ value }) => value.drain === true || value.weight === 0))
    doubt(
      `${path}.backends`,
      'each has drain: true or weight: 0, so that no request of this model is served: leave one in use',
    )
}

/** A route of the API below the base URL of a backend. */
const ROUTE = /\/(chat|completions|chat\/completions|embeddings|models|responses|messages|rerank|score|classify)\/?$/

/** Clients can ask for no other effort. */
function checkEfforts(backend: JsonObject, path: string, doubt: Report): void {
  for (const { path: at, value: effort } of texts(object(backend, 'profile'), 'efforts', `${path}.profile`)) {
    if (!EFFORTS.some(known => known === effort))
      doubt(
        at,
        `no client can ask for the effort '${effort}'${suggestion(effort, EFFORTS) || `: there are ${EFFORTS.join(', ')}`}`,
      )
  }
}

/** A proxy in front of several servers may choose by key or header: then two entries with one url are two backends. */
function identityOf(
  { url, name, type = 'A', port, path, model, api_key: key = null, headers = null }: JsonObject,
  id: string | undefined,
): string | undefined {
  const place = typeof url === 'string' ? url.replace(/\/+$/, '') : (name ?? path)
  return place === undefined
    ? undefined
    : JSON.stringify([place, type, port ?? null, model ?? id ?? null, key, headers])
}

function checkUrl(url: string | undefined, path: string, report: Report): void {
  if (url === undefined || !/^https?:\/\//.test(url)) return
  const parsed = URL.parse(url)
  if (parsed === null) report(path, 'must be a URL such as http://127.0.0.1:8000/v1')
  else if (parsed.username !== '' || parsed.password !== '')
    report(path, 'must not hold a user or password: use api_key')
  else if (parsed.search !== '' || parsed.hash !== '') report(path, 'must end with its path, without ? and #')
}

/** Headers that frame a message or belong to one connection: only the gateway sets them. */
const FRAMING = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function checkHeaders(backend: JsonObject, path: string, report: Report): void {
  for (const name of Object.keys(object(backend, 'headers'))) {
    const lower = name.toLowerCase()
    if (FRAMING.has(lower)) report(`${path}.headers.${name}`, 'is set by the gateway and cannot be changed')
    if (lower === 'authorization' && backend.api_key !== undefined) {
      report(`${path}.headers.${name}`, 'is what api_key sets: give one of the two')
    }
  }
}

/**
 * Engines that accept a regular expression or a grammar; others would ignore it silently. For a server that is only known to be
 * OpenAI-compatible, the capabilities decide.
 */
const DECODING: Readonly<Record<'regex' | 'grammar', ReadonlySet<unknown>>> = {
  regex: new Set<BackendProfile['structured']>(['structured_outputs', 'sglang', 'response_format_only']),
  grammar: new Set<BackendProfile['structured']>(['structured_outputs', 'sglang', 'llama.cpp', 'response_format_only']),
}

function checkDecoding(capabilities: JsonObject, backend: JsonObject, path: string, report: Report): void {
  const engine = ENGINES.find(name => name === backend.engine)
  const structured = object(backend, 'profile').structured ?? (engine && PROFILES[engine].structured)
  if (structured === undefined) return
  for (const name of ['regex', 'grammar'] as const) {
    const everywhere = object(capabilities, 'chat_completions')[name]
    const underZdr = object(capabilities, 'zdr')[name] ?? everywhere
    const promised = everywhere === true || (backend.zdr === true && underZdr === true)
    if (promised && !DECODING[name].has(structured)) {
      report(
        path,
        `this server cannot do ${name}, which the capabilities of the model promise: see engine and profile.structured`,
      )
    }
  }
}
