import { isIP } from 'node:net'
import schema from '../../../schemas/config/backend.json' with { type: 'json' }
import type { JsonObject } from '../../base/json.ts'
import { EFFORTS } from '../../canonical/request.ts'
import { suggestion } from '../../text/nearest.ts'
import { type BackendProfile, ENGINES, PROFILES } from '../profile.ts'
import type { ModelNames } from './model-names.ts'
import { checkPassthrough } from './passthrough.ts'
import { checkPricing } from './pricing.ts'
import { type Item, object, objects, type Report, text, texts, Unique } from './view.ts'

/** `doubt`: reports probable mistakes, with which a gateway can run. */
export function checkModels(file: JsonObject, names: ModelNames, report: Report, doubt: Report): void {
  const unique = new Unique(report)
  for (const { path, value: model } of objects(file, 'models')) {
    const id = text(model, 'id')
    // A sample of the models that an entry finds has no id of its own.
    if (model.discover === undefined) unique.claim(id, `${path}.id`, first => `'${id}' is in use as ${first}`)
    for (const { path: at, value: alias } of texts(model, 'aliases', path)) {
      unique.claim(alias, at, first => `'${alias}' is in use as ${first}`)
    }
    checkCapabilities(model, path, report)
    checkPricing(model, path, report)
    checkBackends(model, path, report, doubt)
    checkPassthrough(model, path, report, doubt)
    checkReferences(texts(model, 'fallback', path), names, report)
  }
  for (const { path, value: endpoint } of objects(file, 'endpoints')) {
    checkReferences(texts(endpoint, 'models', path), names, report)
  }
}

/** Reports names that no model has. */
export function checkReferences(references: readonly Item<string>[], names: ModelNames, report: Report): void {
  for (const { path, value: name } of references) {
    if (!names.has(name)) report(path, `there is no model '${name}'${suggestion(name, names.known)}`)
  }
}

/** Refuses a default effort of `none` for a model that always reasons. Other capabilities may have no effect. */
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
      doubt(`${at}.url`, 'ends with a route: give only the part before it, such as http://127.0.0.1:8000/v1')
  }
  const all = objects(model, 'backends')
  const isDiscovered = objects(model, 'discover').length > 0
  if (all.length > 0 && !isDiscovered && all.every(({ value }) => value.drain === true || value.weight === 0))
    doubt(
      `${path}.backends`,
      'each has drain: true or weight: 0, so that no request for this model is served: leave one in use',
    )
}

/** The end of a URL that contains a route of the API. */
const ROUTE = /\/(chat|completions|chat\/completions|embeddings|models|responses|messages|rerank|score|classify)\/?$/

/** Reports efforts that no client can request. */
function checkEfforts(backend: JsonObject, path: string, doubt: Report): void {
  for (const { path: at, value: effort } of texts(object(backend, 'profile'), 'efforts', `${path}.profile`)) {
    if (!EFFORTS.some(known => known === effort))
      doubt(
        at,
        `no client can request the effort '${effort}'${suggestion(effort, EFFORTS) || `: there are ${EFFORTS.join(', ')}`}`,
      )
  }
}

/** Identifies a backend. Key and headers count: a proxy may select a server by them. undefined: it has no address. */
function identityOf(
  { url, name, type = 'A', port, path, model, api_key: key = null, headers = null }: JsonObject,
  id: string | undefined,
): string | undefined {
  const address = typeof url === 'string' ? url.replace(/\/+$/, '') : (name ?? path)
  return address === undefined
    ? undefined
    : JSON.stringify([address, type, port ?? null, model ?? id ?? null, key, headers])
}

function checkUrl(url: string | undefined, path: string, report: Report): void {
  if (url === undefined || !/^https?:\/\//.test(url)) return
  const parsed = URL.parse(url)
  if (parsed === null) report(path, 'must be a URL such as http://127.0.0.1:8000/v1')
  else if (parsed.username !== '' || parsed.password !== '')
    report(path, 'must not contain a user or password: use api_key')
  else if (parsed.search !== '' || parsed.hash !== '') report(path, 'must end with its path, without ? and #')
}

/** Headers that frame a message or apply to one connection. Only the gateway sets them. */
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
  'via',
])

function checkHeaders(backend: JsonObject, path: string, report: Report): void {
  for (const name of Object.keys(object(backend, 'headers'))) {
    const lower = name.toLowerCase()
    if (FRAMING.has(lower)) report(`${path}.headers.${name}`, 'is set by the gateway and cannot be changed')
    if (lower === 'authorization' && backend.api_key !== undefined) {
      report(`${path}.headers.${name}`, 'is the header that api_key sets: give one of them')
    }
  }
}

/** `profile.structured` of servers that take a regex or grammar. For OpenAI-compatible ones, capabilities decide. */
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

const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  dns: ['name', 'type', 'port', 'scheme', 'base_path', 'every_seconds', 'servers'],
  file: ['path', 'port', 'scheme', 'base_path', 'every_seconds'],
}
const ALL = new Set(Object.values(OF_KIND).flat())
const NEEDED: Readonly<Record<string, string>> = { dns: 'name', file: 'path' }

export function checkDiscovery(backend: JsonObject, path: string, report: Report): void {
  const kind = text(backend, 'discover')
  const of = kind === undefined ? undefined : OF_KIND[kind]
  // The schema reports an invalid value of `discover`.
  if (backend.discover !== undefined && of === undefined) return
  const names = Object.keys(backend)
  // An unknown member may be a misspelt `url` or `discover`, and the schema reports it.
  if (backend.url === undefined && of === undefined && names.every(name => Object.hasOwn(schema.properties, name)))
    report(`${path}.url`, 'is required, unless the entry has discover')
  if (backend.url !== undefined && of !== undefined) report(`${path}.url`, 'cannot be combined with discover')
  for (const name of names) {
    if (!ALL.has(name) || of?.includes(name) === true) continue
    report(`${path}.${name}`, of === undefined ? 'needs discover' : `has no meaning with discover: ${kind}`)
  }
  if (kind !== undefined && backend[NEEDED[kind]!] === undefined)
    report(path, `discover: ${kind} needs '${NEEDED[kind]}'`)
  if (backend.type === 'SRV' && backend.port !== undefined)
    report(`${path}.port`, 'has no meaning with type: SRV, whose records have ports')
  for (const { path: at, value } of texts(backend, 'servers', path)) {
    if (!isServer(value)) report(at, 'must be an address such as 10.0.0.10, 10.0.0.10:53 or [::1]:53')
  }
}

function isServer(server: string): boolean {
  if (isIP(server) !== 0) return true
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false
  return six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6
}
