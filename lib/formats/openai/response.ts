/** Shared by the JSON replies of chat completions and text completions. */
import type { Json, JsonObject } from '../../base/json.ts'
import type { ReplyContext } from '../../canonical/format.ts'
import type { Usage } from '../../canonical/reply.ts'
import { toUsageBody } from './usage.ts'

/** The outer object of a reply. `prefix` stands before the id; `usage` is left out where the backend reported none. */
export function toReplyBody(
  { id, created, model }: ReplyContext,
  { prefix, object }: { readonly prefix: string; readonly object: string },
  choices: Json[],
  usage: Usage | undefined,
): JsonObject {
  return { id: prefix + id, object, created, model, choices, ...(usage !== undefined && { usage: toUsageBody(usage) }) }
}

/** The entries by index. In a stream, choices and tool calls may begin in any order. */
export function inOrder<T>(byIndex: ReadonlyMap<number, T>): [index: number, value: T][] {
  return [...byIndex].sort(([a], [b]) => a - b)
}
