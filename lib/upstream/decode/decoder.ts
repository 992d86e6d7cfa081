import { isObject, type Json } from '../../base/json.ts'
import { type ChatChunk, type FinishReason, newChunk, type Sink, type Usage } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { type BackendFailure, brokenReply, type FailureContext, inBandFailure } from '../failure.ts'
import { inBandError } from './error.ts'
import { alternativesOf, chatLogprobs, textLogprobs } from './logprobs.ts'
import { ToolCalls } from './tool-calls.ts'
import { addUsage, readUsage } from './usage.ts'

/** `abort`, `error` and words this gateway does not know are missing on purpose: such a reply is not an answer. */
const FINISH: ReadonlyMap<Json, FinishReason> = new Map<Json, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
])

interface Choice {
  started: boolean
  finished: boolean
  /** Characters whose log probabilities have been told. */
  offset: number
  /** null until the choice calls a tool. */
  calls: ToolCalls | null
}

/**
 * One backend reply, events or whole, as canonical chunks into the sink. It never ends or fails the sink: it hands back
 * the error where the backend's own words make the reply unusable, and the caller knows how the bytes ended.
 */
export class WireDecoder {
  readonly model: string
  /** All of the last error that was handed back. */
  failure: BackendFailure | undefined
  readonly #context: FailureContext
  readonly #sink: Sink
  readonly #request: CanonicalRequest
  readonly #expected: number
  /** Each choice's end has its own usage. */
  readonly #usageOfEach: boolean
  readonly #choices = new Map<number, Choice>()
  #unfinished = 0
  #usage: Usage | undefined

  constructor(context: FailureContext, request: CanonicalRequest, sink: Sink) {
    this.model = context.model.id
    this.#context = context
    this.#sink = sink
    this.#request = request
    this.#expected = choicesOf(request)
    this.#usageOfEach = context.profile.usage_per_choice && this.#expected > 1
  }

  /** Every choice that started has finished, and there was one. Nothing else may be taken for a complete reply. */
  get finished(): boolean {
    return this.#choices.size > 0 && this.#unfinished === 0
  }

  /** One event of a stream, parsed; `name` is its `event:` line. */
  event(data: Json, name?: string): GatewayError | undefined {
    const error = inBandError(data, name)
    if (error !== undefined) return this.#fail(inBandFailure(error, this.#context))
    // llama-server begins the stream of several prompts with a null.
    if (data === null) return undefined
    if (!isObject(data)) return this.#broken('an event is not an object')
    return this.#read(data.choices, data.usage, false)
  }

  /** A whole JSON reply: one chunk for each choice, then usage. */
  whole(body: Json): GatewayError | undefined {
    const error = inBandError(body)
    if (error !== undefined) return this.#fail(inBandFailure(error, this.#context))
    if (!isObject(body) || !Array.isArray(body.choices)) return this.#broken('the reply has no choices')
    return this.#read(body.choices, undefined, true) ?? this.#read(undefined, body.usage, true)
  }

  #read(choices: Json | undefined, usage: Json | undefined, whole: boolean): GatewayError | undefined {
    let chunk: ChatChunk | undefined
    if (Array.isArray(choices)) {
      for (const choice of choices) {
        if (chunk !== undefined) this.#pass(chunk)
        chunk = newChunk(-1)
        const error = this.#choice(choice, chunk, whole)
        if (error !== undefined) return error
      }
    }
    if (usage != null) {
      chunk ??= newChunk(-1)
      this.#count(usage, chunk)
    }
    if (chunk !== undefined) this.#pass(chunk)
  }

  /** A chunk that is still nobody's and has no usage says nothing. */
  #pass(chunk: ChatChunk): void {
    if (chunk.choice >= 0 || chunk.usage !== undefined || chunk.usageError !== undefined) this.#sink.chunk(chunk)
  }

  #choice(value: Json, chunk: ChatChunk, whole: boolean): GatewayError | undefined {
    if (!isObject(value)) return this.#broken('a choice is not an object')
    const index = value.index ?? 0
    if (!this.#isAskedFor(index)) return this.#broken('a choice has an index that was not asked for')
    const choice = this.#choices.get(index) ?? this.#open(index)
    // What an engine still says about a finished choice would end up behind its end.
    if (choice.finished) return undefined
    const body = whole ? value.message : value.delta
    const delta = isObject(body) ? body : NOTHING

    chunk.text = text(value.text) ?? text(delta.content) ?? textOfParts(delta.content)
    chunk.reasoning = text(delta.reasoning_content) ?? text(delta.reasoning)
    chunk.refusal = text(delta.refusal)
    if (value.logprobs != null) chunk.logprobs = this.#logprobs(value.logprobs, choice)
    const calls = delta.tool_calls
    if (Array.isArray(calls) && calls.length > 0) {
      choice.calls ??= new ToolCalls()
      chunk.toolCalls = whole ? choice.calls.readWhole(calls) : choice.calls.read(calls)
    }
    if (value.finish_reason != null && value.finish_reason !== '') {
      const error = this.#finish(value.finish_reason, choice, chunk)
      if (error !== undefined) return error
      chunk.matchedStop = stop(value.stop_reason) ?? stop(value.matched_stop)
    }
    if (!choice.started) {
      choice.started = true
      chunk.start = true
    } else if (isEmpty(chunk)) {
      return undefined
    }
    chunk.choice = index
  }

  #finish(reason: Json, choice: Choice, chunk: ChatChunk): GatewayError | undefined {
    const finish = FINISH.get(reason)
    if (finish === undefined) return this.#broken('the reply was given up by the backend')
    choice.finished = true
    this.#unfinished--
    const waiting = choice.calls?.rest()
    if (waiting !== undefined)
      chunk.toolCalls = chunk.toolCalls === undefined ? waiting : [...chunk.toolCalls, ...waiting]
    // The reason follows from what was sent: an agent that is told `stop` beside a call never runs it.
    if (finish === 'stop' || finish === 'tool_calls') chunk.finish = choice.calls === null ? 'stop' : 'tool_calls'
    else chunk.finish = finish
  }

  #count(value: Json, chunk: ChatChunk): void {
    const before = this.#usageOfEach ? undefined : this.#usage
    const usage = readUsage(value, before, this.#context.profile.cached_null_means_zero)
    if (typeof usage === 'string') {
      chunk.usageError = usage
    } else {
      this.#usage = this.#usageOfEach ? addUsage(this.#usage, usage, this.#hasNewPrompt(chunk)) : usage
      chunk.usage = this.#usage
    }
  }

  /** Usage of a chat's choice comes in a chunk of its own, but there is only one prompt in a chat. */
  #hasNewPrompt({ choice }: ChatChunk): boolean {
    return choice < 0 ? this.#usage === undefined : choice % this.#request.n === 0
  }

  /** In the shape of the API and no longer than asked for, whatever the engine makes of it. */
  #logprobs(value: Json, choice: Choice): Json {
    const top = alternativesOf(this.#request)
    if (this.#request.kind === 'chat') return chatLogprobs(value, top)
    const logprobs = textLogprobs(value, top, choice.offset)
    if (logprobs === undefined) return value
    choice.offset = logprobs.end
    return logprobs.value
  }

  #isAskedFor(index: Json): index is number {
    return Number.isInteger(index) && (index as number) >= 0 && (index as number) < this.#expected
  }

  #open(index: number): Choice {
    const choice: Choice = { started: false, finished: false, offset: 0, calls: null }
    this.#choices.set(index, choice)
    this.#unfinished++
    return choice
  }

  #broken(cause: string): GatewayError {
    return this.#fail(brokenReply(this.#context.model, cause))
  }

  #fail(failure: BackendFailure): GatewayError {
    this.failure = failure
    return failure.error
  }
}

const NOTHING = Object.freeze({}) as { readonly [name: string]: Json | undefined }

/** How many choices were asked for: `n` for each prompt. */
function choicesOf(request: CanonicalRequest): number {
  if (request.kind === 'chat' || typeof request.prompt === 'string') return request.n
  return request.n * (typeof request.prompt[0] === 'number' ? 1 : request.prompt.length)
}

/** An empty text is no text: the role chunk of vLLM has `content: ""`. */
function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Some servers answer in parts, as clients may ask in parts: to overlook them would answer nothing. */
function textOfParts(content: Json | undefined): string | undefined {
  if (!Array.isArray(content)) return undefined
  return content.map(part => (isObject(part) && text(part.text)) || '').join('') || undefined
}

function stop(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

function isEmpty({ text, reasoning, refusal, toolCalls, logprobs, finish }: ChatChunk): boolean {
  return (text ?? reasoning ?? refusal ?? toolCalls ?? logprobs ?? finish) === undefined
}
