/** JSON replies of chat completions and text completions. */
import type { Json, JsonObject } from '../../base/json.ts'
import type { Collector, ReplyContext } from '../../canonical/format.ts'
import type { Chunk, Usage } from '../../canonical/reply.ts'
import { toUsageBody } from './stream.ts'

/** Collects one choice of a reply. */
export interface GatheredChoice {
  add(chunk: Chunk): void
  result(index: number): JsonObject
}

/** `prefix`: prefix of the reply's id. */
interface ReplyKind {
  readonly prefix: string
  readonly object: string
}

/** Collects chunks by choice into one JSON body. */
export abstract class ChoiceCollector implements Collector {
  readonly #context: ReplyContext
  readonly #kind: ReplyKind
  readonly #newChoice: () => GatheredChoice
  /** By index. A Map, because the backend chooses the indexes. */
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
    const { id, created, model } = this.#context
    const { prefix, object } = this.#kind
    return {
      id: prefix + id,
      object,
      created,
      model,
      choices: inOrder(this.#choices).map(([index, choice]) => choice.result(index)),
      ...(this.#usage !== undefined && { usage: toUsageBody(this.#usage) }),
    }
  }
}

/** Entries sorted by index. In a stream, choices and tool calls may start in any order. */
export function inOrder<T>(byIndex: ReadonlyMap<number, T>): [index: number, value: T][] {
  return [...byIndex].sort(([a], [b]) => a - b)
}

/** Token ids so far with those of one more chunk. */
export function joined(before: Json[] | undefined, piece: Json): Json[] {
  const ids = before ?? []
  for (const id of Array.isArray(piece) ? piece : [piece]) ids.push(id)
  return ids
}
