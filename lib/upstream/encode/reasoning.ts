import type { JsonObject } from '../../base/json.ts'
import { EFFORTS, type ReasoningOptions } from '../../canonical/request.ts'
import type { ModelConfig } from '../../config/config.ts'
import type { BackendProfile } from '../../config/profile.ts'

/**
 * Switches reasoning on or off explicitly, because engines have different defaults. `enabled` and `effort` are used as they
 * are: the plugin `reasoning` has decided them for this model.
 */
export function setReasoning(
  body: JsonObject,
  { enabled, effort }: ReasoningOptions,
  model: ModelConfig,
  profile: BackendProfile,
): void {
  if (model.capabilities.reasoning === false) return
  const on = enabled === true
  const sent = on ? takenEffort(effort, profile.efforts) : profile.efforts.find(value => value === 'none')
  if (sent !== undefined) body.reasoning_effort = sent
  if (profile.thinking_kwarg !== null) body.chat_template_kwargs = { [profile.thinking_kwarg]: on }
}

/** The effort if the engine accepts it, otherwise the strongest accepted one below it. */
function takenEffort(effort: string | undefined, taken: readonly string[]): string | undefined {
  if (effort === undefined || taken.includes(effort)) return effort
  const at = (EFFORTS as readonly string[]).indexOf(effort)
  return EFFORTS.slice(1, Math.max(at, 1)).findLast(weaker => taken.includes(weaker))
}
