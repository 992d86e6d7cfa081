/** Finds the engine and the models of the server at a URL. */
import { isObject, type Json } from '../../base/json.ts'
import type { Capabilities } from '../../config/config.ts'
import type { Engine } from '../../config/profile.ts'
import { type ClientOptions, ProbeClient, type ProbeReply } from './client.ts'
import { at, errorMessage, isOk, list } from './reply.ts'

/** The server cannot be probed. The message is one sentence for the operator. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

/** The server requires an API key, or another one. */
export class ApiKeyRequiredError extends ProbeError {}

/** The text is no address of a server. */
export class AddressError extends ProbeError {}

export interface Discovery {
  /** Base URL with its version prefix. */
  readonly url: string
  readonly engine: Engine
  /** Not empty. */
  readonly models: readonly DiscoveredModel[]
  /** What the engine supports (true), or ignores without an error (false), with every model. */
  readonly features: EngineFeatures
}

export interface DiscoveredModel {
  readonly id: string
  /** In tokens; absent: not reported. */
  readonly max_model_len?: number
  /** Absent: not reported. */
  readonly vision?: true
  /** Absent: not reported. */
  readonly reasoning?: true
  /** A llama-server that routes to several models has not loaded this one. */
  readonly loaded?: false
}

type EngineFeatures = Partial<Pick<Capabilities['chat_completions'], 'grammar' | 'echo' | 'suffix'>>

/** Route that reports the chat template of a model. */
const TEMPLATES: Partial<Record<Engine, string>> = { 'llama.cpp': '/props' }

/** Features of engines, for every model. llama-server 0.7 ignores `echo` and `suffix`, and accepts any grammar. */
const FEATURES: Partial<Record<Engine, EngineFeatures>> = {
  'llama.cpp': { grammar: true, echo: false, suffix: false },
}

/** The models of an OpenAI-compatible server, and its engine. `url`: as of baseUrlOf(). Throws ProbeError. */
export async function discoverModels(url: string, options: ClientOptions = {}): Promise<Discovery> {
  return discover(new ProbeClient(baseUrlOf(url), options))
}

/** The models of the server of this client, and its engine. Throws ProbeError. */
export async function discover(client: ProbeClient): Promise<Discovery> {
  const cards = await listCards(client)
  if (cards.length === 0) throw new ProbeError(listsNone(client))
  return describeServer(client, cards)
}

/** The cards of the models that a server lists. Throws ProbeError, also if a list that is not empty has no model. */
export async function listCards(client: ProbeClient): Promise<readonly Json[]> {
  const reply = await client.get(`${client.base}/models`)
  if (reply.status === 0) throw new ProbeError(reply.problem)
  if (reply.status === 401 || reply.status === 403)
    throw new ApiKeyRequiredError(`${client.root} wants another API key (status ${reply.status})`)
  const data = at(reply.body, 'data')
  const cards = list(data).filter(card => typeof at(card, 'id') === 'string')
  const isEmpty = Array.isArray(data) && data.length === 0
  if (!isOk(reply) || (cards.length === 0 && !isEmpty)) throw new ProbeError(noModels(client, reply))
  return cards
}

/** The members of a card that describe its model. Others, such as `created`, may differ in each reply. */
export function describeCard(card: Json): Json {
  return { ...modelOf(card), owned_by: at(card, 'owned_by') ?? null }
}

/** `cards`: at least one. */
export async function describeServer(client: ProbeClient, cards: readonly Json[]): Promise<Discovery> {
  const engine = await engineOf(client, cards[0]!)
  const models: DiscoveredModel[] = []
  for (const card of cards) {
    const model = modelOf(card)
    models.push((await hasSwitch(client, card, TEMPLATES[engine])) ? { ...model, reasoning: true } : model)
  }
  return { url: client.base, engine, models, features: FEATURES[engine] ?? {} }
}

/** The base URL: `http://host:8000/v1` for `host:8000`, `host:8000/v1/` and `…/v1/models`. Throws AddressError. */
export function baseUrlOf(url: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`
  if (!URL.canParse(text)) throw new AddressError(`'${url}' is not a URL.`)
  const { protocol, origin, pathname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') throw new AddressError(`'${url}' is not an http or https URL.`)
  const path = pathname.replace(/\/+$/, '')
  const versioned = /^(.*?\/v\d+)(\/.*)?$/.exec(path)
  return origin + (versioned === null ? `${path}/v1` : versioned[1]!)
}

function modelOf(card: Json): DiscoveredModel {
  const window = windowOf(card)
  return {
    id: String(at(card, 'id')),
    ...(window !== undefined && { max_model_len: window }),
    ...(!isLoaded(card) && { loaded: false }),
    ...(list(at(card, 'architecture', 'input_modalities')).includes('image') && { vision: true }),
  }
}

/** The context window that a model card reports; undefined: none. */
export function windowOf(card: Json | undefined): number | undefined {
  const window = at(card, 'max_model_len') ?? at(card, 'meta', 'n_ctx')
  return typeof window === 'number' && Number.isInteger(window) && window > 0 ? window : undefined
}

function isLoaded(card: Json): boolean {
  return (at(card, 'status', 'value') ?? 'loaded') === 'loaded'
}

/** Whether the chat template has the usual switch for reasoning. False if llama-server has not loaded the model. */
async function hasSwitch(client: ProbeClient, card: Json, path: string | undefined): Promise<boolean> {
  if (path === undefined || !isLoaded(card)) return false
  const url = `${client.root}${path}?model=${encodeURIComponent(String(at(card, 'id')))}`
  const template = at((await client.get(url)).body, 'chat_template')
  return typeof template === 'string' && template.includes('enable_thinking')
}

const OWNERS: Readonly<Record<string, Engine>> = { vllm: 'vllm', sglang: 'sglang', llamacpp: 'llama.cpp' }

/** Routes that only one engine has, each with a member of its response. SGLang warns of its names with `get_`. */
const SIGNS: readonly { readonly engine: Engine; readonly path: string; readonly member: string }[] = [
  { engine: 'sglang', path: '/model_info', member: 'model_path' },
  { engine: 'sglang', path: '/get_model_info', member: 'model_path' },
  { engine: 'llama.cpp', path: '/props', member: 'default_generation_settings' },
]

/** The engine of a server with this model card. */
export async function engineOf(client: ProbeClient, card: Json): Promise<Engine> {
  const certain = await certainEngine(client, card)
  if (certain !== undefined) return certain
  return (await hasMember(client, '/version', 'version')) ? 'vllm' : 'openai'
}

/**
 * The engine that the card or a route of its own names; undefined: neither does. /version is not certain, because other
 * servers than vLLM have it.
 */
export async function certainEngine(client: ProbeClient, card: Json): Promise<Engine | undefined> {
  const owner = at(card, 'owned_by')
  const known = typeof owner === 'string' ? OWNERS[owner] : undefined
  if (known !== undefined) return known
  // Servers may report another owner for their models.
  for (const { engine, path, member } of SIGNS) if (await hasMember(client, path, member)) return engine
  return undefined
}

async function hasMember(client: ProbeClient, path: string, member: string): Promise<boolean> {
  const reply = await client.get(client.root + path)
  return isOk(reply) && isObject(reply.body) && reply.body[member] !== undefined
}

function listsNone({ base }: ProbeClient): string {
  return `${base}/models lists no models.`
}

function noModels(client: ProbeClient, reply: ProbeReply): string {
  const { status } = reply
  if (status === 404) return `${client.base}/models does not exist: is this an OpenAI-compatible server?`
  if (isOk(reply)) return listsNone(client)
  const message = errorMessage(reply)
  return `${client.base}/models answers with status ${status}${message === '' ? '.' : `: ${message}`}`
}
