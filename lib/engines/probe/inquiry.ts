/** Whether a backend serves its model as the configuration describes it, according to the server. */
import type { BackendConfig, ModelConfig } from '../../config/config.ts'
import type { Engine } from '../../config/profile.ts'
import { type ClientOptions, ProbeClient, type ProbeReply } from './client.ts'
import { contradiction, type ServerFacts } from './correction.ts'
import { certainEngine, engineOf, windowOf } from './discover.ts'
import { versionOf } from './probe.ts'
import { at, isOk, list } from './reply.ts'

interface Inquiry {
  /**
   * Why the backend cannot serve the model, or what is wrong in its entry: a sentence that follows the backend's name.
   * null: no problem was found.
   */
  readonly problem: string | null
  readonly facts: ServerFacts
  /** The server's `Date`, in milliseconds since the epoch; null: absent. */
  readonly date: number | null
}

interface Server {
  readonly engine: Engine
  readonly version: string | undefined
}

/** Limit of the model names that a problem lists. */
const MAX_NAMES = 10

type InquiryOptions = Pick<ClientOptions, 'timeoutMs' | 'signal'>

/** The reply of `/v1/models`, and the engine if it is certain. */
interface ModelsReply extends ProbeReply {
  readonly engine: Engine | undefined
}

/** Asks the server with the key and the headers of the backend. Rejects only if the signal aborts. */
export async function inquire(model: ModelConfig, backend: BackendConfig, options: InquiryOptions): Promise<Inquiry> {
  return judge(model, backend, await listModels(backend, options))
}

/** It is the same for all backends with this server, engine, key and headers. */
export async function listModels(backend: BackendConfig, options: InquiryOptions): Promise<ModelsReply> {
  const client = clientOf(backend, options)
  const reply = await client.get(`${client.base}/models`)
  const [card] = list(at(reply.body, 'data'))
  // Every engine is a server of the engine `openai`.
  const isAsked = isOk(reply) && card !== undefined && backend.engine !== 'openai'
  return { ...reply, engine: isAsked ? await certainEngine(client, card) : undefined }
}

/** Whether a backend serves this model, according to the reply of listModels(). */
export function judge(model: ModelConfig, backend: BackendConfig, reply: ModelsReply): Inquiry {
  const time = reply.date === undefined ? Number.NaN : Date.parse(reply.date)
  const date = Number.isNaN(time) ? null : time
  const answer = (problem: string | null): Inquiry => ({ problem, date, facts: {} })
  if (reply.status === 0) return answer(`cannot be asked: ${reply.problem.replace(/\.$/, '')}`)
  // Servers of embeddings and other byte pipes need no list of models.
  if (reply.status === 404 && model.kind !== 'chat' && hasVersion(backend.url)) return answer(null)
  if (!isOk(reply)) return answer(refusal(reply.status, backend))
  const cards = list(at(reply.body, 'data'))
  const names = cards.map(card => at(card, 'id')).filter(id => typeof id === 'string')
  if (names.length === 0)
    return answer('lists no models: is it an OpenAI-compatible server, with its base path in the url?')
  // A llama-server with one model serves it under any name.
  const acceptsAnyName = cards.length === 1 && at(cards[0], 'owned_by') === 'llamacpp'
  const card = acceptsAnyName ? cards[0] : cards.find(one => at(one, 'id') === backend.model)
  if (card === undefined) {
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
    return answer(`does not serve '${backend.model}'; it serves ${names.slice(0, MAX_NAMES).join(', ')}${more}`)
  }
  const facts = { engine: reply.engine, window: windowOf(card) }
  return { problem: contradiction(model, backend, facts), date, facts }
}

/** The engine of a server, and its version if reported. */
export async function serverOf(backend: BackendConfig, options: InquiryOptions): Promise<Server> {
  const client = clientOf(backend, options)
  const { body } = await client.get(`${client.base}/models`)
  return { engine: await engineOf(client, list(at(body, 'data'))[0] ?? null), version: await versionOf(client) }
}

export function clientOf(backend: BackendConfig, options: InquiryOptions): ProbeClient {
  const { url, api_key: apiKey, headers } = backend
  return new ProbeClient(url, { ...options, apiKey, headers, egress: backend })
}

function hasVersion(url: string): boolean {
  return /\/v\d+$/.test(url)
}

function refusal(status: number, { url, api_key }: BackendConfig): string {
  if (status === 401 || status === 403)
    return `answers ${status}: ${api_key === undefined ? 'does it need an api_key?' : 'is its api_key right?'}`
  if (status !== 404) return `answers ${status} at /models`
  return `answers 404: ${hasVersion(url) ? 'is the url that of an OpenAI-compatible server?' : 'is /v1 missing from the url?'}`
}
