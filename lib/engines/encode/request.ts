import { isObject, type JsonObject } from '../../base/json.ts'
import { markedCopy, restoreNumbers } from '../../base/source-json.ts'
import {
  type CanonicalRequest,
  type ChatRequest,
  EFFORTS,
  type FunctionTool,
  type ReasoningOptions,
  SAMPLING_NAMES,
  type TextRequest,
} from '../../canonical/request.ts'
import type { BackendConfig, ModelConfig } from '../../config/config.ts'
import type { BackendProfile } from '../../config/profile.ts'
import type { PipeRequest, Target } from '../../core/slots.ts'
import { fail } from '../../errors/errors.ts'
import { wireMessages } from './messages.ts'
import { setStructured } from './structured.ts'

/**
 * The JSON body for this backend, in a fixed order, so that equal requests have equal bytes. Refuses what the engine
 * does not support: `unsupported_regex`, `unsupported_response_format`, `unsupported_feature`.
 */
export function backendBody(request: CanonicalRequest, model: ModelConfig, backend: BackendConfig): JsonObject {
  const body = request.kind === 'chat' ? chatBody(request, model, backend) : textBody(request, backend)
  if (request.regex !== undefined || request.responseFormat !== undefined)
    setStructured(body, request, model.id, backend.profile)
  if (request.passthrough !== undefined) setPassthrough(body, request.passthrough)
  const unstreamable = isUnstreamable(request, model, backend.profile)
  body.stream = !unstreamable && (request.stream || backend.profile.always_stream)
  // Both members are always set, independent of the client (docs/api/chat-completions.md#stream).
  if (body.stream) body.stream_options = { include_usage: true, continuous_usage_stats: true }
  if (body.stream && backend.profile.running_usage === 'timings_per_token') body.timings_per_token = true
  return body
}

/** Members that engines read as they are. The gateway's own switch in chat_template_kwargs takes precedence. */
function setPassthrough(body: JsonObject, { chat_template_kwargs: kwargs, ...members }: JsonObject): void {
  Object.assign(body, members)
  if (!isObject(kwargs)) return
  const own = body.chat_template_kwargs
  body.chat_template_kwargs = isObject(own) ? restoreNumbers({ ...markedCopy(kwargs), ...own }) : kwargs
}

/** Whether the backend accepts this request only without a stream. Refuses the request if the client wants a stream. */
function isUnstreamable(request: CanonicalRequest, model: ModelConfig, profile: BackendProfile): boolean {
  if (profile.stream_tools_logprobs || request.kind !== 'chat') return false
  if (request.tools.length === 0 || request.sampling.logprobs !== true) return false
  const feature = 'log probabilities in a stream with tools'
  if (request.stream) fail('unsupported_feature', { model: model.id, feature }, { param: 'logprobs' })
  return true
}

function chatBody(request: ChatRequest, model: ModelConfig, { model: name, profile }: BackendConfig): JsonObject {
  const messages = wireMessages(request.messages, request.preserveThinking.asked, profile)
  const body: JsonObject = { model: name, messages }
  setTools(body, request, profile)
  setCommon(body, request, profile)
  setReasoning(body, request.reasoning, model, profile)
  return body
}

function textBody(request: TextRequest, backend: BackendConfig): JsonObject {
  const body: JsonObject = { model: backend.model, prompt: request.prompt }
  if (request.suffix !== undefined) body.suffix = request.suffix
  if (request.echo !== undefined) body.echo = request.echo
  // Has no effect if it equals n, and not every server knows it.
  if (request.bestOf !== undefined && request.bestOf > request.n) body.best_of = request.bestOf
  setCommon(body, request, backend.profile)
  return body
}

/** Tools are also sent with tool_choice `none`: the prompt then begins as in other turns, for the prefix cache. */
function setTools(body: JsonObject, request: ChatRequest, profile: BackendProfile): void {
  const { tools, toolChoice: choice, parallelToolCalls } = request
  if (tools.length === 0) return
  if (typeof choice !== 'object') {
    body.tools = tools.map(wireTool)
    if (choice !== undefined) body.tool_choice = choice
  } else if (profile.named_tool_choice) {
    body.tools = tools.map(wireTool)
    body.tool_choice = { type: 'function', function: { name: choice.name } }
  } else {
    body.tools = tools.filter(tool => tool.name === choice.name).map(wireTool)
    body.tool_choice = 'required'
  }
  if (parallelToolCalls !== undefined) body.parallel_tool_calls = parallelToolCalls
}

function wireTool({ name, description, parameters, strict }: FunctionTool): JsonObject {
  const wire: JsonObject = { name }
  if (description !== undefined) wire.description = description
  if (parameters !== undefined) wire.parameters = parameters
  if (strict !== undefined) wire.strict = strict
  return { type: 'function', function: wire }
}

function setCommon(body: JsonObject, request: CanonicalRequest, profile: BackendProfile): void {
  if (request.maxTokens !== undefined) body.max_tokens = request.maxTokens
  if (request.stop !== undefined) body.stop = request.stop
  if (request.n > 1) body.n = request.n
  // A fixed list, so that no other member of a client's body is sent.
  for (const name of SAMPLING_NAMES) {
    const value = request.sampling[name]
    if (value !== undefined) body[name === 'repetition_penalty' ? profile.repetition_penalty : name] = value
  }
  if (body.top_k === 0 || body.top_k === -1) body.top_k = profile.top_k_all
  // Some servers refuse top_logprobs without logprobs.
  if (request.kind === 'chat' && body.logprobs !== true) delete body.top_logprobs
  if (profile.logprobs_need_top) askForAlternative(body)
}

/** The decoder removes the alternative if the client did not request it (lib/engines/decode/logprobs.ts). */
function askForAlternative(body: JsonObject): void {
  if (body.logprobs === true) body.top_logprobs ||= 1
  else if (body.logprobs === 0) body.logprobs = 1
}

/** Explicit, because the defaults of engines differ. The plugin `reasoning` has decided `enabled` and `effort`. */
function setReasoning(
  body: JsonObject,
  { enabled, effort }: ReasoningOptions,
  model: ModelConfig,
  profile: BackendProfile,
): void {
  if (model.capabilities.reasoning === false) return
  const on = enabled === true
  const sent = on ? acceptedEffort(effort, profile.efforts) : profile.efforts.find(value => value === 'none')
  if (sent !== undefined) body.reasoning_effort = sent
  if (profile.thinking_kwarg !== null) body.chat_template_kwargs = { [profile.thinking_kwarg]: on }
}

/** The effort if the engine accepts it, otherwise the strongest weaker one that it accepts. */
function acceptedEffort(effort: string | undefined, accepted: readonly string[]): string | undefined {
  if (effort === undefined || accepted.includes(effort)) return effort
  const at = (EFFORTS as readonly string[]).indexOf(effort)
  return EFFORTS.slice(1, Math.max(at, 1)).findLast(weaker => accepted.includes(weaker))
}

/** The body of a request to this backend, of any kind, with the cache salt and the priority of the account. */
export function bodyFor(request: CanonicalRequest | PipeRequest, target: Target, config: BackendConfig): JsonObject {
  const { model, cacheSalt, priority = 0 } = target
  if (request.kind === 'pipe') return pipeBody(request, config.model)
  const body = backendBody(request, model, config)
  const { cache_salt, priority: order } = config.profile
  if (cacheSalt !== undefined && cache_salt) body.cache_salt = cacheSalt
  if (order !== null && priority !== 0) body.priority = order === 'lower_first' ? -priority : priority
  return body
}

/** Leaves out members that are null: a client means that they are absent, but not every engine accepts null. */
function pipeBody({ body, withoutEffect }: PipeRequest, model: string): JsonObject {
  const members = Object.entries(body).filter(([name, value]) => value !== null && !withoutEffect.has(name))
  return { ...Object.fromEntries(members), model }
}

/** Drops the conversation, tools and schemas of a request, to free their memory. */
export function release(request: CanonicalRequest | PipeRequest): void {
  if (request.kind === 'pipe') {
    request.body = {}
    return
  }
  request.passthrough = undefined
  if (request.responseFormat?.type === 'json_schema') request.responseFormat.schema = undefined
  if (request.kind === 'text') {
    request.prompt = ''
    return
  }
  request.messages = []
  for (const tool of request.tools) tool.description = tool.parameters = undefined
}
