import type { Json } from '../../base/json.ts'
import type { ReplyContext, WriteEvent } from '../../canonical/format.ts'
import type { Chunk, Sink, Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import { eventStart, finishText, writeEnd, writeError } from '../openai/stream.ts'

/** Writes chunks as `text_completion` events. An event without choices before `[DONE]` has the last usage. */
export class StreamEncoder implements Sink {
  readonly #context: ReplyContext
  readonly #write: WriteEvent
  /** JSON text of an event up to its choices. */
  readonly #start: string
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, write: WriteEvent) {
    this.#context = context
    this.#write = write
    this.#start = eventStart(context, 'cmpl-', 'text_completion')
  }

  chunk({ choice, text, logprobs, tokenIds, promptTokenIds, finish, usage }: Chunk): void {
    if (usage !== undefined) this.#usage = usage
    if (choice === -1 || (text ?? logprobs ?? tokenIds ?? promptTokenIds ?? finish) === undefined) return
    const logprobsText = logprobs === undefined ? 'null' : JSON.stringify(logprobs)
    this.#write(
      undefined,
      `${this.#start}{"index":${choice},"text":${JSON.stringify(text ?? '')},"logprobs":${logprobsText},"finish_reason":${finishText(finish)}${tokenIdsText(tokenIds, promptTokenIds)}}]}`,
    )
  }

  end(): void {
    writeEnd(this.#write, this.#start, this.#usage)
  }

  fail(error: GatewayError): void {
    writeError(this.#write, this.#context, error)
  }
}

function tokenIdsText(ids: Json | undefined, promptIds: Json | undefined): string {
  const prompt = promptIds === undefined ? '' : `,"prompt_token_ids":${JSON.stringify(promptIds)}`
  return ids === undefined ? prompt : `,"token_ids":${JSON.stringify(ids)}${prompt}`
}
