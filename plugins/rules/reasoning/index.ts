import {
  type ChatRequest,
  definePlugin,
  EFFORTS,
  fail,
  type ModelConfig,
  type ReasoningOptions,
  type ToolChoice,
} from '../../../lib/plugin.ts'
import { chat, target } from '../../slots.ts'

type Effort = NonNullable<ReasoningOptions['effort']>

/**
 * Decides whether the request reasons, and with which effort (docs/DESIGN.md#reasoning). Afterwards `enabled` is a
 * boolean, and `effort` is set only if it is true.
 */
function settleReasoning(request: ChatRequest, model: ModelConfig): void {
  const { reasoning: ability, reasoning_effort } = model.capabilities
  const asked = request.reasoning
  if (ability === 'always' && isForced(request.toolChoice)) {
    const feature = 'forced tool calls, because it always reasons'
    fail('unsupported_feature', { model: model.id, feature }, { param: 'tool_choice' })
  }
  if (ability === false && asked.enabled === true) {
    fail('unsupported_feature', { model: model.id, feature: 'reasoning' }, { param: asked.param, ownParam: true })
  }
  const preset = effort(reasoning_effort.default)
  if (ability === 'always') asked.enabled = true
  else asked.enabled ??= ability && isOnByDefault(asked, preset)
  asked.effort = asked.enabled ? (effort(asked.effort) ?? preset) : undefined
}

function isOnByDefault({ byDefault }: ReasoningOptions, preset: Effort | undefined): boolean {
  return byDefault === 'able' || (byDefault === 'card' && preset !== undefined)
}

function isForced(choice: ToolChoice | undefined): boolean {
  return choice === 'required' || typeof choice === 'object'
}

/** An effort other than `none`; undefined for `none` and for unknown words. */
function effort(word: string | undefined): Effort | undefined {
  return word === 'none' ? undefined : EFFORTS.find(known => known === word)
}

export default definePlugin({
  name: 'reasoning',
  summary: 'Switches reasoning on or off, as the client asks and the model supports.',
  routes: { canonical: true },
  needs: [chat, target],

  setup: () => ({
    onBody(exchange) {
      const request = exchange.get(chat)
      if (request.kind === 'chat') settleReasoning(request, exchange.get(target).model)
    },
  }),
})
