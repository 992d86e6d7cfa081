import type { ToolCallDelta } from '../../canonical/reply.ts'

/** A complete tool call. */
export interface CompleteCall {
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it. */
  readonly arguments: string
}

/** Gathers tool calls until the reply ends. Their blocks are written whole, so pieces may arrive in any order. */
export class ToolCalls {
  readonly #replyId: string
  readonly #calls: ToolCallDelta[] = []

  /** `replyId`: part of the ids that are made up where an engine sends none. */
  constructor(replyId: string) {
    this.#replyId = replyId
  }

  add(deltas: readonly ToolCallDelta[]): void {
    for (const { index, id, name, arguments: part } of deltas) {
      const call = this.#calls.findLast(each => each.index === index)
      // A new id at a known index is another call: some engines number all calls of a turn 0.
      if (call === undefined || (id && call.id && id !== call.id)) {
        this.#calls.push({ index, id, name, arguments: part })
        continue
      }
      call.id ||= id
      call.name ||= name
      call.arguments += part
    }
  }

  all(): readonly CompleteCall[] {
    return this.#calls.map(({ id, name, arguments: text }, i) => ({
      id: id || `toolu_${this.#replyId}${i}`,
      name: name ?? '',
      arguments: text,
    }))
  }
}
