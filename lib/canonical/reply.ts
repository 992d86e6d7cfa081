/** The canonical reply: the chunks that every backend's reply becomes, and what receives them. */
import type { Json } from '../base/json.ts'
import type { GatewayError } from '../errors/errors.ts'

/** Why a choice ended. A reply without one of these reasons is incomplete and becomes an error. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/**
 * One step of a reply. A JSON reply has one chunk per choice and one with usage.
 * newChunk() creates a chunk. The sink that receives a chunk owns it: it may change it and pass it on.
 */
export interface Chunk {
  /** Index of the choice; -1 in a chunk that has only usage. */
  choice: number
  /** True on the first chunk of a choice. */
  start: boolean
  /** A piece of the answer; undefined: none. */
  text: string | undefined
  /** A piece of the reasoning. */
  reasoning: string | undefined
  /** A piece of a refusal by the model, which replaces the answer. */
  refusal: string | undefined
  toolCalls: ToolCallDelta[] | undefined
  /** Log probabilities of this chunk's tokens, in OpenAI's shape for chats or for text completions. */
  logprobs: Json | undefined
  /** Ids of this chunk's tokens, as the backend sent them; undefined: not asked for. */
  tokenIds: Json | undefined
  /** Ids of the prompt's tokens, on the first chunk of a choice. */
  promptTokenIds: Json | undefined
  /** Set on the last chunk of a choice. */
  finish: FinishReason | undefined
  /** The stop string or stop token id that matched, if the engine reports it. Set together with `finish`. */
  matchedStop: string | number | undefined
  /** Running totals of the whole reply: a value replaces the earlier one. */
  usage: Usage | undefined
  /** Why the backend's usage could not be read (`usage_parse_error` of docs/api/endpoint-request.md#record). */
  usageError?: string | undefined
  /** Seconds of audio that the backend has counted, on byte pipes; undefined: not reported. */
  seconds?: number | undefined
}

/** A piece of a tool call. The first piece of a call has its id and name. */
export interface ToolCallDelta {
  /** Index of the call among the calls of its choice, from 0. */
  index: number
  /** Set on the first piece of a call. */
  id: string | undefined
  /** Set on the first piece of a call. */
  name: string | undefined
  /** A piece of the arguments' JSON text; may be empty. */
  arguments: string
}

/** Token counts of a reply, as the backend reported them. */
export interface Usage {
  readonly promptTokens: number
  /** Reasoning tokens included. */
  readonly completionTokens: number
  /** Tokens of the prompt that came from the prefix cache; null: not reported. */
  readonly cachedTokens: number | null
  /** Tokens of the completion that are reasoning; null: not reported. */
  readonly reasoningTokens: number | null
  /** Milliseconds for which the request was queued inside the engine; absent: not reported. */
  readonly queuedMs?: number
}

/** An empty chunk of this choice, with all members: all chunks then have one hidden class. */
export function newChunk(choice: number): Chunk {
  return {
    choice,
    start: false,
    text: undefined,
    reasoning: undefined,
    refusal: undefined,
    toolCalls: undefined,
    logprobs: undefined,
    tokenIds: undefined,
    promptTokenIds: undefined,
    finish: undefined,
    matchedStop: undefined,
    usage: undefined,
    usageError: undefined,
    seconds: undefined,
  }
}

/** Receives a reply, synchronously: any number of `chunk`, then `end` or `fail` exactly once (docs/adr/0003). */
export interface Sink {
  chunk(chunk: Chunk): void
  /** The reply is complete. */
  end(): void
  /** The reply cannot be completed. Earlier chunks may have reached the client. */
  fail(error: GatewayError): void
}

/**
 * Base class of plugins' sinks between decoder and encoder, one per attempt. Passes everything on to `next`.
 * Synchronous, because a call costs a five-hundredth of a web stream (docs/adr/0003).
 */
export abstract class Transformer implements Sink {
  /** Set by link(), before the first chunk. */
  next!: Sink
  #output!: Output

  chunk(chunk: Chunk): void {
    this.next.chunk(chunk)
  }
  end(): void {
    this.next.end()
  }
  fail(error: GatewayError): void {
    this.next.fail(error)
  }

  /**
   * Ends the reply: every choice that has not finished gets this finish reason, and the engine is stopped.
   * What the transformer passes on afterwards is dropped. Not for byte pipes.
   * `usage`: the last counts of the backend, if this transformer has held them back.
   */
  stop(reason: FinishReason, usage?: Usage): void {
    this.#output.stop(reason, usage)
  }

  /** Called by link(). */
  connect(output: Output): void {
    this.next = this.#output = output
  }
}

interface LinkOptions {
  /** Number of choices that the client requested; 0: the reply is a byte pipe. */
  choices(): number
  /** A transformer has stopped the reply. */
  onStop(reason: FinishReason): void
}

/** Passes the output of one transformer on, and knows which choices it has started and finished. */
class Output implements Sink {
  readonly #next: Sink
  readonly #options: LinkOptions
  readonly #started = new Set<number>()
  readonly #finished = new Set<number>()
  #isStopped = false

  constructor(next: Sink, options: LinkOptions) {
    this.#next = next
    this.#options = options
  }

  chunk(chunk: Chunk): void {
    if (this.#isStopped) return
    if (chunk.start) this.#started.add(chunk.choice)
    if (chunk.finish !== undefined) this.#finished.add(chunk.choice)
    this.#next.chunk(chunk)
  }

  end(): void {
    if (!this.#isStopped) this.#next.end()
  }

  fail(error: GatewayError): void {
    if (!this.#isStopped) this.#next.fail(error)
  }

  stop(reason: FinishReason, usage: Usage | undefined): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#options.onStop(reason)
    const choices = this.#options.choices()
    for (let choice = 0; choice < choices; choice++) {
      if (this.#finished.has(choice)) continue
      this.#next.chunk({ ...newChunk(choice), start: !this.#started.has(choice), finish: reason, usage })
    }
    this.#next.end()
  }
}

/** Links transformers in this order before the last sink. Returns the first sink. */
export function link(transformers: readonly Transformer[], last: Sink, options: LinkOptions): Sink {
  let next = last
  for (const transformer of transformers.toReversed()) {
    transformer.connect(new Output(next, options))
    next = transformer
  }
  return next
}
