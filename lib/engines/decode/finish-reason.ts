/** Why a choice ended, in the names of servers (docs/ENGINES.md#finish-reasons). */
import type { Json } from '../../base/json.ts'
import type { FinishReason } from '../../canonical/reply.ts'
import type { BackendProfile } from '../../config/profile.ts'

/** A mapped reason. `error`: the server gave the answer up. */
type Meaning = BackendProfile['finish_reasons'][string]

/** Names in lower case. The answer is complete under any other name, and ends with `stop`. */
const NAMES: Readonly<Record<Exclude<Meaning, 'stop'>, readonly string[]>> = {
  length: [
    'length',
    'max_tokens',
    'max_length',
    'max_new_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: ['content_filter', 'safety', 'refusal', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
  error: ['error', 'abort'],
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(NAMES).flatMap(([meaning, names]) => names.map(name => [name, meaning as Meaning])),
)

/** Texts that servers write in chunks before the last one, in place of null. */
const NONE: readonly unknown[] = ['', 'null', 'none']

/** The reason of a choice; undefined: the choice goes on; `error`: the reply is not complete. */
export function readFinishReason(
  reason: Json | undefined,
  isWhole: boolean,
  profile: BackendProfile,
): FinishReason | 'error' | undefined {
  if (reason == null || (!isWhole && NONE.includes(reason))) return undefined
  if (typeof reason !== 'string') return 'error'
  const { finish_reasons: own } = profile
  return (Object.hasOwn(own, reason) ? own[reason] : MEANINGS.get(reason.toLowerCase())) ?? 'stop'
}
