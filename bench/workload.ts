/** Requests and the mock backend's replies: precomputed bytes, and names that both sides use. */

export const KEY = 'service_bench_secret'

/** The account, with limits that are counted and never reached. */
export const PLANS = {
  bench: { tier: 'bench', concurrency: 100_000, requests: { limit: 1_000_000_000, window: '1d' } },
}

export const ACCOUNT = {
  id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
  name: 'bench',
  plan: 'bench',
  members: [{ user: 'bench@localhost', role: 'owner' }],
  keys: [{ id: 'bench', user: 'bench@localhost', kind: 'serverless', secret: KEY }],
}

/** The mock backend's kinds of replies, each of which is a model. */
export const MODELS = {
  /** 0.6 KB of JSON. */
  json: 'bench-json',
  /** An event every 50 ms until the client disconnects: 20 tokens a second. */
  paced: 'bench-paced',
  /** One every 250 ms. */
  calm: 'bench-calm',
  /** One every second. */
  slow: 'bench-slow',
  /** FLAT_EVENTS events as fast as the target reads, 16 per write. */
  flat: 'bench-flat',
  /** A vector of VECTOR_LENGTH numbers. */
  vector: 'bench-vector',
} as const

export type Behaviour = keyof typeof MODELS

/** Milliseconds between two events of a stream that runs until its client disconnects. */
export const PACES = { paced: 50, calm: 250, slow: 1000 } as const

export type Paced = keyof typeof PACES

/** Events of a stream without a pace. */
export const FLAT_EVENTS = 8000

export const FLAT_EVENTS_PER_WRITE = 16

export type Api = 'chat' | 'messages' | 'responses' | 'embeddings'

export const PATHS: Readonly<Record<Api, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
}

/** Text with the features that matter for JSON: words, and some quotes, line breaks and accents. */
export function prose(length: number): string {
  const words =
    'the gate lets water through when "asked", slowly – né à côté,\nand shuts again in time for the next one. '
  return words.repeat(Math.ceil(length / words.length)).slice(0, length)
}

/** Characters of one message of a large body. */
const MESSAGE_LENGTH = 4000

/** A large body is one text, or a conversation of many messages. */
export type Shape = 'messages' | 'text'

/** A request body of about this size. */
export function requestBody(api: Api, behaviour: Behaviour, bytes: number, shape: Shape = 'messages'): string {
  if (api === 'embeddings') return JSON.stringify({ model: MODELS[behaviour], input: prose(Math.floor(bytes / 1.06)) })
  const longest = shape === 'text' ? bytes : MESSAGE_LENGTH
  const messages: { role: string; content: string }[] = []
  for (let left = bytes - 200; left > 0 || messages.length === 0; left -= longest * 1.06) {
    const text = prose(Math.max(20, Math.min(longest, Math.floor(left / 1.06))))
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content: text })
  }
  if (messages.at(-1)!.role === 'assistant') messages.push({ role: 'user', content: 'Go on.' })
  const common = { model: MODELS[behaviour], stream: behaviour !== 'json', temperature: 0.7 }
  if (api === 'responses') {
    const input = messages.map(message => ({ type: 'message', ...message }))
    return JSON.stringify({ ...common, max_output_tokens: 1024, input })
  }
  return JSON.stringify({ ...common, max_tokens: 1024, messages })
}

/** One event as vLLM writes it with continuous usage: about 340 bytes. */
export function chunk(behaviour: Behaviour, delta: object, finish: string | null, completionTokens: number): string {
  const usage = { prompt_tokens: 480, total_tokens: 480 + completionTokens, completion_tokens: completionTokens }
  return JSON.stringify({
    id: 'chatcmpl-4fd0c2a1b7e94c5a8d3e6f7081920a1b',
    object: 'chat.completion.chunk',
    created: 1790000000,
    model: MODELS[behaviour],
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage,
  })
}

const VECTOR_LENGTH = 1024

/** The reply with one vector of VECTOR_LENGTH numbers: 12 KB. */
export function vectorReply(): string {
  const embedding = Array.from({ length: VECTOR_LENGTH }, (_, i) => Math.round(Math.sin(i + 1) * 1e8) / 1e9)
  return JSON.stringify({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding }],
    model: MODELS.vector,
    usage: { prompt_tokens: 480, total_tokens: 480 },
  })
}

/** The whole JSON reply: 0.6 KB. */
export function wholeReply(): string {
  return JSON.stringify({
    id: 'chatcmpl-4fd0c2a1b7e94c5a8d3e6f7081920a1b',
    object: 'chat.completion',
    created: 1790000000,
    model: MODELS.json,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: prose(240), tool_calls: [], reasoning_content: null },
        logprobs: null,
        finish_reason: 'stop',
        stop_reason: null,
      },
    ],
    usage: { prompt_tokens: 480, total_tokens: 540, completion_tokens: 60, prompt_tokens_details: null },
    prompt_logprobs: null,
  })
}
