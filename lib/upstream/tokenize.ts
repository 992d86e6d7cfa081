/** Asks backends how many tokens a prompt has, by the engine's own template and tokenizer. */
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import type { ChatRequest } from '../canonical/request.ts'
import type { BackendConfig, ModelConfig } from '../config/config.ts'
import type { Target } from '../core/target.ts'
import { BackendClient } from './client.ts'
import { backendBody } from './encode/request.ts'
import { request } from './request.ts'

/** The members of a chat body that a template reads: sent as a completion would send them, so that the counts agree. */
const TEMPLATE_MEMBERS = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'reasoning_effort',
  'chat_template_kwargs',
] as const

/** Answers list every token: about 7 bytes each, so this is a prompt of two million. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** Counts the tokens of prompts by asking backends. Make one in setup(), and close it in close(). */
export class Tokenizer {
  readonly #timeoutMs: number
  readonly #random: () => number
  readonly #clients = new Map<BackendConfig, BackendClient>()

  /** `timeoutMs` is for a whole count, second tries included. */
  constructor(timeoutMs: number, random: () => number = Math.random) {
    this.#timeoutMs = timeoutMs
    this.#random = random
  }

  /** The exact count; undefined when no backend that may serve the request could say. */
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

  /** Two tries, on two backends where there are two: a kept connection may have died since it was used last. */
  #candidates({ backends }: ModelConfig, zdr: boolean): readonly BackendConfig[] {
    const able = backends.filter(
      backend =>
        (!zdr || backend.zdr) && backend.weight > 0 && ['messages', 'content'].includes(backend.profile.tokenize),
    )
    const first = Math.floor(this.#random() * able.length)
    return able.length === 0 ? [] : [able[first]!, able[(first + 1) % able.length]!]
  }

  async #ask(backend: BackendConfig, body: JsonObject, signal: AbortSignal): Promise<number | undefined> {
    const client = this.#client(backend)
    if (backend.profile.tokenize === 'messages') {
      // vLLM, newer SGLang. The template brings its special tokens itself.
      const answer = await post(
        client,
        '/tokenize',
        { ...body, add_generation_prompt: true, add_special_tokens: false },
        signal,
      )
      return isObject(answer) ? countOf(answer.count) : undefined
    }
    // llama.cpp takes the two steps one by one; the special tokens are those that it adds to a completion's prompt.
    const templated = await post(client, '/apply-template', body, signal)
    if (!isObject(templated) || typeof templated.prompt !== 'string') return undefined
    // The model's name is for a llama-server that routes to several of them.
    const content = { model: backend.model, content: templated.prompt, add_special: true, parse_special: true }
    const answer = await post(client, '/tokenize', content, signal)
    return isObject(answer) && Array.isArray(answer.tokens) ? answer.tokens.length : undefined
  }

  #client(backend: BackendConfig): BackendClient {
    let client = this.#clients.get(backend)
    if (client === undefined) {
      // These routes are beside the version prefix of the base URL, not below it.
      const url = backend.url.replace(/\/v\d+\/*$/, '')
      client = new BackendClient({ ...backend, url }, this.#timeoutMs)
      this.#clients.set(backend, client)
    }
    return client
  }
}

function pick(body: JsonObject): JsonObject {
  return Object.fromEntries(TEMPLATE_MEMBERS.filter(name => body[name] !== undefined).map(name => [name, body[name]]))
}

function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The JSON of a 200; undefined for anything else that can happen. */
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
      { signal, maxBytes: MAX_ANSWER_BYTES },
    )
    return status === 200 ? parseJson(body.toString()) : undefined
  } catch {
    return undefined
  }
}
