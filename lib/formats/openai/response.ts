/** Shared by the JSON replies of chat completions and text completions. */
import type { Json, JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, Usage } from '../../canonical/reply.ts'
import { toUsageBody } from './stream.ts'

/** What a reply keeps of one choice. */
export interface GatheredChoice {
  add(chunk: Chunk): void
  result(index: number): JsonObject
}

/** `prefix` stands before the id of a reply. */
interface ReplyKind {
  readonly prefix: string
  readonly object: string
}

/** Gathers chunks by choice into one JSON body. */
export abstract class ChoiceCollector implements Collector {
  readonly #context: ReplyContext
  readonly #kind: ReplyKind
  readonly #newChoice: () => GatheredChoice
  /** By index. A Map, because the backend chooses the numbers. */
  readonly #choices = new Map<number, GatheredChoice>()
  #usage: Usage | undefined = undefined

  constructor(context: ReplyContext, kind: ReplyKind, newChoice: () => GatheredChoice) {
    this.#context = context
    this.#kind = kind
    this.#newChoice = newChoice
  }

  chunk(chunk: Chunk): void {
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    if (chunk.choice === -1) return
    let choice = this.#choices.get(chunk.choice)
    if (choice === undefined) {
      choice = this.#newChoice()
      this.#choices.set(chunk.choice, choice)
    }
    choice.add(chunk)
  }

  result(): JsonObject {
    const choices = inOrder(this.#choices).map(([index, choice]) => choice.result(index))
    return toReplyBody(this.#context, this.#kind, choices, this.#usage)
  }
}

/** The outer object of a reply. `usage` is left out where the backend reported none. */
export function toReplyBody(
  { id, created, model }: ReplyContext,
  { prefix, object }: ReplyKind,
  choices: Json[],
  usage: Usage | undefined,
): JsonObject {
  return { id: prefix + id, object, created, model, choices, ...(usage !== undefined && { usage: toUsageBody(usage) }) }
}

/** The entries by index. In a stream, choices and tool calls may begin in any order. */
export function inOrder<T>(byIndex: ReadonlyMap<number, T>): [index: number, value: T][] {
  return [...byIndex].sort(([a], [b]) => a - b)
}
