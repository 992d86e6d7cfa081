/** Whether a backend serves its model, according to its `/v1/models`. */
import type { BackendConfig, ModelConfig } from '../../config/config.ts'
import type { Engine } from '../../config/profile.ts'
import { type ClientOptions, ProbeClient, type ProbeReply } from './client.ts'
import { engineOf } from './discover.ts'
import { versionOf } from './probe.ts'
import { at, isOk, list } from './reply.ts'

interface Inquiry {
  /** Why the backend cannot serve the model: a sentence that follows the backend's name. null: no problem was found. */
  readonly problem: string | null
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

/** Asks the server with the key and the headers of the backend. Rejects only if the signal aborts. */
export async function inquire(model: ModelConfig, backend: BackendConfig, options: InquiryOptions): Promise<Inquiry> {
  return judge(model, backend, await listModels(backend, options))
}

/** The reply of `/v1/models`. It is the same for all backends with this server, key and headers. */
export function listModels(backend: BackendConfig, options: InquiryOptions): Promise<ProbeReply> {
  const client = clientOf(backend, options)
  return client.get(`${client.base}/models`)
}

/** Whether a backend serves this model, according to the reply of listModels(). */
export function judge({ kind }: ModelConfig, backend: BackendConfig, reply: ProbeReply): Inquiry {
  const date = reply.date === undefined ? Number.NaN : Date.parse(reply.date)
  const answer = (problem: string | null): Inquiry => ({ problem, date: Number.isNaN(date) ? null : date })
  if (reply.status === 0) return answer(`cannot be asked: ${reply.problem.replace(/\.$/, '')}`)
  // Servers of embeddings and other byte pipes need no list of models.
  if (reply.status === 404 && kind !== 'chat' && hasVersion(backend.url)) return answer(null)
  if (!isOk(reply)) return answer(refusal(reply.status, backend))
  const cards = list(at(reply.body, 'data'))
  const names = cards.map(card => at(card, 'id')).filter(id => typeof id === 'string')
  if (names.length === 0)
    return answer('lists no models: is it an OpenAI-compatible server, with its base path in the url?')
  // A llama-server with one model serves it under any name.
  const acceptsAnyName = cards.length === 1 && at(cards[0], 'owned_by') === 'llamacpp'
  if (acceptsAnyName || names.includes(backend.model)) return answer(null)
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return answer(`does not serve '${backend.model}'; it serves ${names.slice(0, MAX_NAMES).join(', ')}${more}`)
}

/** The engine of a server, and its version if reported. */
export async function serverOf(backend: BackendConfig, options: InquiryOptions): Promise<Server> {
  const client = clientOf(backend, options)
  const { body } = await client.get(`${client.base}/models`)
  return { engine: await engineOf(client, list(at(body, 'data'))[0] ?? null), version: await versionOf(client) }
}

function clientOf({ url, api_key: apiKey, headers }: BackendConfig, options: InquiryOptions): ProbeClient {
  return new ProbeClient(url, { ...options, apiKey, headers })
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
