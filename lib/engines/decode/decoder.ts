import { isObject, type Json } from '../../base/json.ts'
import { type Chunk, type FinishReason, newChunk, type Sink, type Usage } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { choicesOf } from '../../core/text-parts.ts'
import { type BackendFailure, brokenReply, type FailureContext, inBandFailure } from '../failure/failure.ts'
import {
  type AnswerMember,
  answerIn,
  answerMember,
  callsIn,
  hasUnknownPart,
  readFinishReason,
  text,
  textOfParts,
} from './answer.ts'
import { type BackendError, readError } from './error.ts'
import { alternativesOf, chatLogprobs, textLogprobs } from './logprobs.ts'
import { RunningUsage } from './running-usage.ts'
import { ToolCalls } from './tool-calls.ts'
import { readQueuedMs, readUsage, usageOfTimings } from './usage.ts'

interface Choice {
  hasStarted: boolean
  hasFinished: boolean
  /** Characters of the text whose log probabilities have been passed on. */
  offset: number
  /** null until the choice calls a tool. */
  calls: ToolCalls | null
  /** Set by the first part of an answer that is not a text completion. */
  member: AnswerMember | undefined
  /** The choice has text of a text completion. */
  hasText: boolean
  /** No part of an answer so far, except under names that are not known. */
  isUnknown: boolean
}

/**
 * Converts one reply of a backend to canonical chunks for the sink. Methods return a failure if the reply is unusable.
 * The caller ends or fails the sink, because only it knows how the bytes ended.
 */
export class WireDecoder {
  readonly #context: FailureContext
  readonly #sink: Sink
  readonly #request: CanonicalRequest
  /** Number of choices that the client requested. */
  readonly #expected: number
  /** Each chunk with a token has the timings of its choice instead of a running usage. */
  readonly #isTimed: boolean
  readonly #choices = new Map<number, Choice>()
  #unfinished = 0
  #usage: Usage | undefined
  /** The request has members for the engine, which may ask for token ids. */
  readonly #hasTokenIds: boolean
  /** null: one choice was requested. */
  readonly #running: RunningUsage | null
  /** Finished choices, in order, whose own usage has not arrived. null: the backend sends no usage per choice. */
  readonly #uncounted: number[] | null

  constructor(context: FailureContext, request: CanonicalRequest, sink: Sink) {
    this.#context = context
    this.#sink = sink
    this.#request = request
    this.#expected = choicesOf(request)
    const hasSeveral = this.#expected > 1
    this.#hasTokenIds = request.passthrough !== undefined
    this.#isTimed = context.profile.running_usage === 'timings_per_token'
    this.#running = hasSeveral ? new RunningUsage(request.n) : null
    this.#uncounted = hasSeveral && context.profile.usage_per_choice ? [] : null
  }

  /** The reply is complete: it has at least one choice, and each choice that started has finished. */
  get isFinished(): boolean {
    return this.#choices.size > 0 && this.#unfinished === 0
  }

  /** Takes one event of a stream: its parsed data, and its name from the field `event`. */
  event(data: Json, name?: string): BackendFailure | undefined {
    const error = inBandError(data, name)
    if (error !== undefined) return inBandFailure(error, this.#context)
    // llama-server sends a null before the stream of several prompts.
    if (data === null) return undefined
    if (!isObject(data)) return this.#broken('an event is not an object')
    const { usage, metrics } = data
    if (usage != null) return this.#read(data, usage, false, metrics)
    return this.#read(data, this.#isTimed ? usageOfTimings(data.timings) : undefined, false)
  }

  /** Takes a JSON reply. The sink gets one chunk per choice, then the usage. */
  whole(body: Json): BackendFailure | undefined {
    const error = inBandError(body)
    if (error !== undefined) return inBandFailure(error, this.#context)
    if (!isObject(body) || !Array.isArray(body.choices)) return this.#broken('the reply has no choices')
    return this.#read(body, undefined, true) ?? this.#read(NOTHING, body.usage, true, body.metrics)
  }

  #read(reply: Members, usage: Json | undefined, isWhole: boolean, metrics?: Json): BackendFailure | undefined {
    const { choices } = reply
    let chunk: Chunk | undefined
    if (Array.isArray(choices)) {
      for (const choice of choices) {
        if (chunk !== undefined) this.#pass(chunk)
        chunk = newChunk(-1)
        const failed = this.#choice(choice, chunk, isWhole, reply.prompt_token_ids)
        if (failed !== undefined) return failed
      }
    }
    if (usage != null) {
      chunk ??= newChunk(-1)
      this.#count(usage, chunk, choiceOf(choices))
      const queuedMs = readQueuedMs(metrics)
      if (queuedMs !== undefined && chunk.usage !== undefined) chunk.usage = { ...chunk.usage, queuedMs }
    }
    if (chunk !== undefined) this.#pass(chunk)
  }

  /** Drops a chunk that has neither a choice nor usage. */
  #pass(chunk: Chunk): void {
    if (chunk.choice >= 0 || chunk.usage !== undefined || chunk.usageError !== undefined) this.#sink.chunk(chunk)
  }

  #choice(value: Json, chunk: Chunk, isWhole: boolean, promptIds: Json | undefined): BackendFailure | undefined {
    if (!isObject(value)) return this.#broken('a choice is not an object')
    const index = value.index ?? 0
    if (!this.#isExpected(index)) return this.#broken('a choice has an index that was not asked for')
    const choice = this.#choices.get(index) ?? this.#open(index)
    // Clients expect no chunk of a choice after its finish reason.
    if (choice.hasFinished) return undefined
    chunk.text = text(value.text)
    if (chunk.text !== undefined) choice.hasText = true
    else if (choice.member === undefined) this.#findAnswer(choice, value, isWhole)
    const delta = choice.member === undefined ? NOTHING : answerIn(value, choice.member)

    chunk.text ??= text(delta.content) ?? textOfParts(delta.content)
    chunk.reasoning = text(delta.reasoning_content) ?? text(delta.reasoning)
    chunk.refusal = text(delta.refusal)
    if (this.#hasTokenIds) {
      chunk.tokenIds = value.token_ids ?? undefined
      // vLLM sends those of a chat once for all choices.
      chunk.promptTokenIds = value.prompt_token_ids ?? promptIds ?? undefined
    }
    if (value.logprobs != null) chunk.logprobs = this.#logprobs(value.logprobs, choice)
    const calls = callsIn(delta)
    if (calls.length > 0) {
      choice.calls ??= new ToolCalls()
      const areWhole = isWhole || (choice.member !== 'delta' && !calls.every(hasIndex))
      chunk.toolCalls = areWhole ? choice.calls.readWhole(calls) : choice.calls.read(calls)
    }
    const finish = readFinishReason(value.finish_reason, isWhole, this.#context.profile)
    if (finish === 'error') return this.#broken('the reply was given up by the backend')
    if (finish !== undefined) {
      if (choice.isUnknown && !choice.hasText) return this.#broken('the answer is in a member that is not known')
      this.#finish(finish, choice, chunk)
      this.#uncounted?.push(index)
      chunk.matchedStop = stop(value.stop_reason) ?? stop(value.matched_stop)
    }
    if (!choice.hasStarted) {
      // The role chunk has no timings. Passed on, it would be the only chunk without usage.
      if (this.#isTimed && !isWhole && isEmpty(chunk)) return undefined
      choice.hasStarted = true
      chunk.start = true
    } else if (isEmpty(chunk)) {
      return undefined
    }
    chunk.choice = index
  }

  /** Sets the member that has the answer, or notes that only what is not known can have it. */
  #findAnswer(choice: Choice, value: Members, isWhole: boolean): void {
    choice.member = answerMember(value, isWhole)
    const isUnknown =
      hasUnknownPart(answerIn(value, 'delta')) ||
      hasUnknownPart(answerIn(value, 'message')) ||
      hasUnknownPart({ content: value.text }) ||
      (isWhole && (value.message ?? value.delta ?? value.text) == null)
    choice.isUnknown = choice.member === undefined && (choice.isUnknown || isUnknown)
  }

  #finish(finish: FinishReason, choice: Choice, chunk: Chunk): void {
    choice.hasFinished = true
    this.#unfinished--
    const unsent = choice.calls?.rest()
    if (unsent !== undefined) chunk.toolCalls = chunk.toolCalls === undefined ? unsent : [...chunk.toolCalls, ...unsent]
    // Derived from the calls that were sent: agents do not run calls of a choice that ends with the reason `stop`.
    if (finish === 'stop' || finish === 'tool_calls') chunk.finish = choice.calls === null ? 'stop' : 'tool_calls'
    else chunk.finish = finish
  }

  /**
   * `inEvent`: the choice in the same event, or -1. A usage without a choice belongs to the next finished choice, or to
   * the reply if the backend sends no usage per choice.
   */
  #count(value: Json, chunk: Chunk, inEvent: number): void {
    const choice = inEvent >= 0 ? inEvent : (this.#uncounted?.shift() ?? -1)
    const running = choice >= 0 ? this.#running : null
    const before = running === null ? this.#usage : running.of(choice)
    const usage = readUsage(value, before, this.#context.profile.cached_null_means_zero)
    if (typeof usage === 'string') {
      chunk.usageError = usage
    } else {
      this.#usage = running === null ? usage : running.add(choice, usage)
      chunk.usage = this.#usage
    }
  }

  /** Log probabilities in the form of the API, with no more alternatives than the client requested. */
  #logprobs(value: Json, choice: Choice): Json {
    const top = alternativesOf(this.#request)
    if (this.#request.kind === 'chat') return chatLogprobs(value, top)
    const logprobs = textLogprobs(value, top, choice.offset)
    if (logprobs === undefined) return value
    choice.offset = logprobs.end
    return logprobs.value
  }

  #isExpected(index: Json): index is number {
    return Number.isInteger(index) && (index as number) >= 0 && (index as number) < this.#expected
  }

  #open(index: number): Choice {
    const choice: Choice = {
      hasStarted: false,
      hasFinished: false,
      offset: 0,
      calls: null,
      member: undefined,
      hasText: false,
      isUnknown: false,
    }
    this.#choices.set(index, choice)
    this.#unfinished++
    return choice
  }

  #broken(cause: string): BackendFailure {
    return brokenReply(this.#context.model, cause)
  }
}

/**
 * The error in an event, if it is one. Errors are nested `{"error": …}` (OpenAI, vLLM, llama.cpp, SGLang in streams),
 * flat `{"object": "error", …}` (SGLang, older vLLM), or of any form under `event: error`.
 */
function inBandError(data: Json, event?: string): BackendError | undefined {
  if (!isObject(data)) return event === 'error' ? readError(data) : undefined
  if (data.error !== undefined && data.error !== null) return readError(data)
  return data.object === 'error' || event === 'error' ? readError(data) : undefined
}

type Members = { readonly [name: string]: Json | undefined }

const NOTHING = Object.freeze({}) as Members

/** Index of the only choice of an event; -1: the event has no choice, or several. The index is already checked. */
function choiceOf(choices: Json | undefined): number {
  if (!Array.isArray(choices) || choices.length !== 1) return -1
  const [choice] = choices
  return isObject(choice) ? Number(choice.index ?? 0) : -1
}

function stop(value: Json | undefined): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Whether the call is a fragment of a stream, which has an index. */
function hasIndex(call: Json): boolean {
  return isObject(call) && typeof call.index === 'number'
}

function isEmpty({ text, reasoning, refusal, toolCalls, logprobs, tokenIds, promptTokenIds, finish }: Chunk): boolean {
  return (text ?? reasoning ?? refusal ?? toolCalls ?? logprobs ?? tokenIds ?? promptTokenIds ?? finish) === undefined
}
