/** The capability probe: finds out what a running server supports, with few requests of a few tokens each. */
import type { JsonObject } from '../../base/json.ts'
import type { Capabilities } from '../../config/config.ts'
import { type BackendProfile, type Engine, PROFILES } from '../../config/profile.ts'
import { type ClientOptions, chat, ProbeClient, type ProbeSession } from './client.ts'
import { baseUrlOf, type DiscoveredModel, discover, ProbeError } from './discover.ts'
import { probeCache, probeContext, probeMessages, probeVision } from './prompt.ts'
import { probeReasoning, type ReasoningFindings } from './reasoning.ts'
import { at, errorMessage, isOk, list } from './reply.ts'
import { probeStructured } from './structured.ts'
import { probeSeed, probeStop, probeText, probeTopK } from './text.ts'
import { probeTools } from './tools.ts'

export interface ProbeOptions extends ClientOptions {
  /** The model to probe. Default: the first that the server lists. */
  readonly model?: string | undefined
  /** Skips the prompt that is longer than the context window. */
  readonly light?: boolean | undefined
  /** Called with its subject before each group of checks. */
  readonly onStep?: ((subject: string) => void) | undefined
}

export interface ProbeResult {
  /** Base URL with its version prefix. */
  readonly url: string
  readonly model: string
  /** All models that the server lists. */
  readonly models: readonly string[]
  readonly engine: Engine
  readonly engineVersion: string | undefined
  /** In tokens; undefined: not reported. */
  readonly maxModelLen: number | undefined
  /** The engine's profile, changed by the findings. */
  readonly profile: BackendProfile
  readonly capabilities: Capabilities
  /** Other findings for the operator, in one or two sentences each. */
  readonly notes: readonly string[]
  readonly requests: number
}

/** Tokens for a reply of a few words if reasoning cannot be switched off. */
const REASONED_ANSWER_TOKENS = 512

/** Throws ProbeError if the server cannot be probed. A feature whose check fails counts as unsupported. */
export async function probeBackend(url: string, options: ProbeOptions = {}): Promise<ProbeResult> {
  const client = new ProbeClient(baseUrlOf(url), options)
  const step = options.onStep ?? (() => {})
  const notes = new Set<string>()
  step('models')
  const { engine, models } = await discover(client)
  const { id: model, max_model_len } = chosen(models, options.model, client.base)
  const reasoningSession: ProbeSession = {
    client,
    model,
    engine,
    reasoningOff: {},
    shortReplyTokens: 16,
    note: text => notes.add(text),
  }

  const first = await chat(reasoningSession)
  if (!isOk(first))
    throw new ProbeError(refusal(first.problem || `${first.status}: ${errorMessage(first)}`, client, model))
  step('reasoning')
  const reasoning = await probeReasoning(reasoningSession)
  const session = sessionWithoutReasoning(reasoningSession, reasoning)
  step('tools')
  const tools = await probeTools(session)
  step('structured outputs')
  const structured = await probeStructured(session)
  step('messages')
  const messages = await probeMessages(session, reasoning.reasoning !== false)
  step('choices and usage')
  // vLLM refuses several choices with greedy sampling.
  const n = list(at((await chat(session, { n: 2, temperature: 1 })).body, 'choices')).length === 2
  const cache = await probeCache(session)
  step('text completions')
  const text_members = await probeText(session)
  const max_stop_strings = await probeStop(session)
  const top_k_all = await probeTopK(session)
  await probeSeed(session)
  step('images')
  const vision = await probeVision(session)
  step('tokens and limits')
  const tokenize = await tokenizeMode(session)
  const { context_patterns } =
    options.light === true ? PROFILES[engine] : { context_patterns: await probeContext(session, max_model_len) }
  const health_path = isOk(await client.get(`${client.root}/health`)) ? '/health' : null

  const usual = PROFILES[engine]
  return {
    url: client.base,
    model,
    models: models.map(({ id }) => id),
    engine,
    engineVersion: await versionOf(client),
    maxModelLen: max_model_len,
    profile: {
      // Some members cannot be probed, such as the error of a full queue.
      ...usual,
      thinking_kwarg: reasoning.thinking_kwarg === undefined ? usual.thinking_kwarg : reasoning.thinking_kwarg,
      efforts: reasoning.efforts,
      structured: structured.structured,
      tokenize,
      ...cache,
      system_inline: messages.system_inline,
      developer_role: messages.developer_role,
      named_tool_choice: tools.named_tool_choice ?? usual.named_tool_choice,
      stream_tools_logprobs: tools.stream_tools_logprobs ?? usual.stream_tools_logprobs,
      text_members,
      max_stop_strings,
      top_k_all,
      health_path,
      context_patterns,
    },
    capabilities: {
      vision,
      tools: tools.tools,
      reasoning: reasoning.reasoning,
      reasoning_effort: { default: undefined },
      chat_completions: {
        n,
        grammar: structured.grammar,
        regex: structured.regex,
        structured_outputs: structured.structured_outputs,
        tools: tools.tools,
        streaming_tools: tools.streaming_tools ?? tools.tools,
        preserve_thinking: messages.preserve_thinking,
        echo: text_members.includes('echo'),
        suffix: text_members.includes('suffix'),
      },
      messages: { vision },
      responses: {},
      zdr: {},
    },
    notes: [...notes],
    requests: client.requests,
  }
}

function chosen(models: readonly DiscoveredModel[], wanted: string | undefined, url: string): DiscoveredModel {
  const found = wanted === undefined ? models[0] : models.find(({ id }) => id === wanted)
  if (found !== undefined) return found
  throw new ProbeError(`${url} has no model '${wanted}'. It has: ${models.map(({ id }) => id).join(', ')}.`)
}

function refusal(problem: string, { root }: ProbeClient, model: string): string {
  return `${root} does not answer a plain chat request for '${model}': ${problem}`
}

function sessionWithoutReasoning(
  session: ProbeSession,
  { reasoning, thinking_kwarg, efforts }: ReasoningFindings,
): ProbeSession {
  if (reasoning === false) return session
  if (reasoning === 'always') return { ...session, shortReplyTokens: REASONED_ANSWER_TOKENS }
  if (typeof thinking_kwarg === 'string')
    return { ...session, reasoningOff: { chat_template_kwargs: { [thinking_kwarg]: false } } }
  return efforts.includes('none') ? { ...session, reasoningOff: { reasoning_effort: 'none' } } : session
}

/** The form of /tokenize that counts tokens. A server may accept an unknown member and count nothing. */
async function tokenizeMode({ client, model }: ProbeSession): Promise<BackendProfile['tokenize']> {
  const text = 'Count these few words.'
  const shapes: Readonly<Record<'messages' | 'prompt' | 'content', JsonObject>> = {
    messages: { model, messages: [{ role: 'user', content: text }] },
    prompt: { model, prompt: text },
    content: { model, content: text },
  }
  for (const mode of ['messages', 'prompt', 'content'] as const) {
    const reply = await client.post(`${client.root}/tokenize`, shapes[mode])
    const counted = Number(at(reply.body, 'count')) > 0 || list(at(reply.body, 'tokens')).length > 0
    if (isOk(reply) && counted) return mode
  }
  return 'none'
}

const VERSIONS: readonly (readonly [path: string, member: string])[] = [
  ['/version', 'version'],
  ['/server_info', 'version'],
  ['/get_server_info', 'version'],
  ['/props', 'build_info'],
]

/** The version of the engine; undefined: not reported. */
export async function versionOf(client: ProbeClient): Promise<string | undefined> {
  for (const [path, member] of VERSIONS) {
    const reply = await client.get(client.root + path)
    const version = isOk(reply) ? at(reply.body, member) : undefined
    if (typeof version === 'string') return version
  }
  return undefined
}
