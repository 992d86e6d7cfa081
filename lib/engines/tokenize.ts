/** Counts the tokens of a prompt on a backend, by the engine's own chat template and tokenizer. */
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import type { ChatRequest } from '../canonical/request.ts'
import type { BackendConfig, ModelConfig } from '../config/config.ts'
import type { Target } from '../core/slots.ts'
import { BackendClient } from '../transport/client.ts'
import { request } from '../transport/request.ts'
import { backendBody } from './encode/request.ts'

/** Members of a chat body that the chat template reads. Sent as in a chat completion, so that the counts agree. */
const TEMPLATE_MEMBERS = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'reasoning_effort',
  'chat_template_kwargs',
] as const

/** Enough for a prompt of two million tokens: responses list each of them, with about 7 bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

const MAX_CLIENTS = 1024

/** Counts tokens by requests to backends. A plugin creates one in setup() and closes it in close(). */
export class Tokenizer {
  readonly #timeoutMs: number
  readonly #backendsOf: BackendsOf
  readonly #random: () => number
  readonly #clients = new Map<BackendConfig, BackendClient>()

  /** `timeoutMs`: for one count, including its second attempt. `backendsOf`: that of Services.models. */
  constructor(timeoutMs: number, backendsOf: BackendsOf, random: () => number = Math.random) {
    this.#timeoutMs = timeoutMs
    this.#backendsOf = backendsOf
    this.#random = random
  }

  /** The exact count; undefined if no backend that may serve the request can count. */
  async count(request: ChatRequest, { model, zdr }: Target, signal: AbortSignal): Promise<number | undefined> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)])
    for (const backend of this.#candidates(model, zdr)) {
      const count = await this.#ask(backend, pick(backendBody(request, model, backend)), deadline)
      if (count !== undefined || deadline.aborted) return count
    }
    return undefined
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }

  /** The backends of two attempts, different ones if possible. */
  #candidates(model: ModelConfig, zdr: boolean): readonly BackendConfig[] {
    const able = this.#backendsOf(model).filter(
      backend =>
        (!zdr || backend.zdr) && backend.weight > 0 && ['messages', 'content'].includes(backend.profile.tokenize),
    )
    const first = Math.floor(this.#random() * able.length)
    return able.length === 0 ? [] : [able[first]!, able[(first + 1) % able.length]!]
  }

  async #ask(backend: BackendConfig, body: JsonObject, signal: AbortSignal): Promise<number | undefined> {
    const client = this.#client(backend)
    if (backend.profile.tokenize === 'messages') {
      // vLLM, and SGLang since 2026. The chat template adds the special tokens.
      const members = { ...withTemplateEffort(body), add_generation_prompt: true, add_special_tokens: false }
      const counted = await post(client, '/tokenize', members, signal)
      return isObject(counted) ? countOf(counted.count) : undefined
    }
    // llama.cpp has one request per step. It adds special tokens as for the prompt of a completion.
    const templated = await post(client, '/apply-template', body, signal)
    if (!isObject(templated) || typeof templated.prompt !== 'string') return undefined
    // A llama-server that routes to several models requires the name.
    const content = { model: backend.model, content: templated.prompt, add_special: true, parse_special: true }
    const counted = await post(client, '/tokenize', content, signal)
    return isObject(counted) && Array.isArray(counted.tokens) ? counted.tokens.length : undefined
  }

  #client(backend: BackendConfig): BackendClient {
    let client = this.#clients.get(backend)
    if (client === undefined) {
      this.#closeOldest()
      // These routes have no version prefix.
      const url = backend.url.replace(/\/v\d+\/*$/, '')
      client = new BackendClient({ ...backend, url }, this.#timeoutMs)
      this.#clients.set(backend, client)
    }
    return client
  }

  /** Service discovery may add and remove backends without limit. */
  #closeOldest(): void {
    const [oldest] = this.#clients
    if (oldest === undefined || this.#clients.size < MAX_CLIENTS) return
    oldest[1].close()
    this.#clients.delete(oldest[0])
  }
}

type BackendsOf = (model: ModelConfig) => readonly BackendConfig[]

function pick(body: JsonObject): JsonObject {
  return Object.fromEntries(TEMPLATE_MEMBERS.filter(name => body[name] !== undefined).map(name => [name, body[name]]))
}

/** vLLM passes the effort of a chat to the template, but ignores this member of /tokenize. */
function withTemplateEffort(body: JsonObject): JsonObject {
  const { reasoning_effort, chat_template_kwargs } = body
  if (reasoning_effort === undefined) return body
  const switches = isObject(chat_template_kwargs) ? chat_template_kwargs : {}
  return { ...body, chat_template_kwargs: { reasoning_effort, ...switches } }
}

function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The JSON of a 200 response; undefined for any other response and after a failure. */
async function post(
  client: BackendClient,
  path: string,
  json: JsonObject,
  signal: AbortSignal,
): Promise<Json | undefined> {
  try {
    const { status, body } = await request(
      client,
      { method: 'POST', path, json },
      { signal, maxBytes: MAX_RESPONSE_BYTES },
    )
    return status === 200 ? parseJson(body.toString()) : undefined
  } catch {
    return undefined
  }
}
