import { EFFORTS, type JsonObject, type ReasoningWish } from '../../chat.ts'
import type { ModelConfig } from '../../config/config.ts'
import type { BackendProfile } from '../profile.ts'

export interface Reasoning {
  readonly on: boolean
  /** undefined: the model's own default. Never `none` while on. */
  readonly effort: string | undefined
}

/** What the wish comes to on this model (api.md "Reasoning control", "Always-on reasoning models"). */
export function reasoningOn(wish: ReasoningWish, model: ModelConfig): Reasoning {
  const { reasoning, reasoning_effort: card } = model.capabilities
  const fallback = card.default === 'none' ? undefined : card.default
  const on = reasoning === 'always' || (reasoning && isWanted(wish, fallback !== undefined))
  if (!on) return { on: false, effort: undefined }
  return { on: true, effort: wish.effort === undefined || wish.effort === 'none' ? fallback : wish.effort }
}

function isWanted({ enabled, effort, whenUnsaid }: ReasoningWish, cardSaysOn: boolean): boolean {
  if (enabled !== undefined) return enabled
  if (effort !== undefined) return effort !== 'none'
  return whenUnsaid === 'card' && cardSaysOn
}

/** Says on or off explicitly, because engines differ in what they do when nothing is said. */
export function setReasoning(body: JsonObject, wish: ReasoningWish, model: ModelConfig, profile: BackendProfile): void {
  if (model.capabilities.reasoning === false) return
  const { on, effort } = reasoningOn(wish, model)
  const sent = on ? takenEffort(effort, profile.efforts) : profile.efforts.find(value => value === 'none')
  if (sent !== undefined) body.reasoning_effort = sent
  if (profile.thinking_kwarg !== null) body.chat_template_kwargs = { [profile.thinking_kwarg]: on }
}

/** The effort itself where the engine takes it, else the strongest one below. */
function takenEffort(effort: string | undefined, taken: readonly string[]): string | undefined {
  if (effort === undefined || taken.includes(effort)) return effort
  const at = (EFFORTS as readonly string[]).indexOf(effort)
  return EFFORTS.slice(1, Math.max(at, 1)).findLast(weaker => taken.includes(weaker))
}
