/** Canonical requests, models and chunks with every member, of which a test sets those that it needs. */
import { type Chunk, newChunk, type Sink } from '../../lib/canonical/reply.ts'
import type { ChatRequest, FunctionTool, TextRequest } from '../../lib/canonical/request.ts'
import type { Capabilities, ModelConfig } from '../../lib/config/config.ts'
import type { Target } from '../../lib/core/slots.ts'
import type { GatewayError } from '../../lib/errors/errors.ts'

const common = {
  model: 'm',
  stream: false,
  n: 1,
  maxTokens: undefined,
  clampMaxTokens: false,
  stop: undefined,
  regex: undefined,
  responseFormat: undefined,
}

export function chatRequest(members: Partial<ChatRequest> = {}): ChatRequest {
  return {
    kind: 'chat',
    ...common,
    sampling: {},
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [],
    toolChoice: undefined,
    parallelToolCalls: undefined,
    reasoning: { enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off' },
    preserveThinking: { asked: false, param: 'preserve_thinking' },
    ...members,
  }
}

export function textRequest(members: Partial<TextRequest> = {}): TextRequest {
  return {
    kind: 'text',
    ...common,
    sampling: {},
    prompt: 'Hello',
    echo: undefined,
    suffix: undefined,
    bestOf: undefined,
    ...members,
  }
}

export function tool(members: Partial<FunctionTool> = {}): FunctionTool {
  return {
    name: 'look_up',
    description: undefined,
    parameters: { type: 'object', properties: {} },
    strict: undefined,
    ...members,
  }
}

/** A model with only the given capabilities. */
export function model(capabilities: Partial<Capabilities> = {}, members: Partial<ModelConfig> = {}): ModelConfig {
  return {
    kind: 'chat',
    id: 'm',
    aliases: [],
    owned_by: 'test',
    created: 0,
    max_model_len: undefined,
    pricing: undefined,
    sampling: 'free',
    passthrough: [],
    max_concurrency: undefined,
    routing: { policy: 'least_load', session_header: undefined, attention_tokens: 32_000 },
    queue: undefined,
    fallback: [],
    mirror: undefined,
    backends: [],
    discover: [],
    ...members,
    capabilities: {
      vision: false,
      tools: false,
      reasoning: false,
      reasoning_effort: { default: undefined },
      chat_completions: {
        n: false,
        grammar: false,
        regex: false,
        structured_outputs: false,
        tools: false,
        streaming_tools: false,
        preserve_thinking: false,
        echo: false,
        suffix: false,
      },
      messages: { vision: false },
      responses: {},
      zdr: {},
      ...capabilities,
    },
  }
}

/** A model with some chat capabilities. */
export function modelWith(
  chat: Partial<Capabilities['chat_completions']>,
  capabilities: Partial<Capabilities> = {},
): ModelConfig {
  const plain = model(capabilities)
  const { chat_completions } = plain.capabilities
  return { ...plain, capabilities: { ...plain.capabilities, chat_completions: { ...chat_completions, ...chat } } }
}

export function targetOf(config: ModelConfig, zdr = false, alternatives: readonly ModelConfig[] = []): Target {
  return { account: 'a', model: config, zdr, alternatives: () => alternatives }
}

export function chunk(members: Partial<Chunk> = {}): Chunk {
  return { ...newChunk(0), ...members }
}

/** Keeps the received chunks, without undefined members. */
export class Recorder implements Sink {
  readonly chunks: Partial<Chunk>[] = []
  ended = 0
  readonly errors: GatewayError[] = []

  chunk(received: Chunk): void {
    const present = Object.entries(received).filter(
      ([name, value]) => value !== undefined && !(name === 'start' && !value),
    )
    this.chunks.push(Object.fromEntries(present))
  }
  end(): void {
    this.ended++
  }
  fail(error: GatewayError): void {
    this.errors.push(error)
  }
}

/** The refusal that a call throws; undefined: none. Other errors are rethrown. */
export function refusal(call: () => void): { code: string; status: number; param: string | undefined } | undefined {
  try {
    call()
    return undefined
  } catch (thrown) {
    return described(thrown)
  }
}

/** The refusal that a promise rejects with; undefined: none. Other errors are rethrown. */
export async function refusalOf(
  pending: Promise<unknown> | undefined,
): Promise<{ code: string; status: number; param: string | undefined } | undefined> {
  try {
    await pending
    return undefined
  } catch (thrown) {
    return described(thrown)
  }
}

function described(thrown: unknown): { code: string; status: number; param: string | undefined } {
  const { code, status, details } = thrown as Partial<GatewayError>
  if (code === undefined || status === undefined) throw thrown
  return { code, status, param: details?.param }
}
