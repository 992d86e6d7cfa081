/** Reads the equivalent reasoning members of chat completions (docs/api/chat-completions.md#reasoning) into one. */
import type { Effort, ReasoningOptions } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { ChatBody } from './generated/body.ts'

/** What one member of the body asks for. */
interface Claim {
  readonly param: string
  readonly enabled: boolean
  readonly effort: Effort | undefined
}

/** Members that contradict one another are refused with `schema_validation_failed`: none of them is ignored. */
export function readReasoning(body: ChatBody): ReasoningOptions {
  const claims = [...claimsOf(body)]
  const [first] = claims
  if (first === undefined) {
    return { enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off' }
  }
  let effort = first.effort
  for (const claim of claims) {
    if (
      claim.enabled !== first.enabled ||
      (claim.effort !== undefined && effort !== undefined && claim.effort !== effort)
    ) {
      fail(
        'schema_validation_failed',
        { problem: `'${claim.param}' contradicts '${first.param}'.` },
        { param: claim.param },
      )
    }
    effort ??= claim.effort
  }
  return { enabled: first.enabled, effort, param: first.param, byDefault: 'off' }
}

function* claimsOf({ reasoning_effort, reasoning, thinking, chat_template_kwargs }: ChatBody): Generator<Claim> {
  if (reasoning_effort != null) yield effortClaim('reasoning_effort', reasoning_effort)
  if (reasoning?.effort != null) yield effortClaim('reasoning.effort', reasoning.effort)
  if (reasoning?.enabled != null) yield switchClaim('reasoning.enabled', reasoning.enabled)
  if (thinking != null) yield switchClaim('thinking.type', thinking.type === 'enabled')
  if (chat_template_kwargs?.enable_thinking != null) {
    yield switchClaim('chat_template_kwargs.enable_thinking', chat_template_kwargs.enable_thinking)
  }
}

function effortClaim(param: string, effort: Effort): Claim {
  return { param, enabled: effort !== 'none', effort }
}

/** A member that only switches: off is the effort `none`, on leaves the effort open. */
function switchClaim(param: string, enabled: boolean): Claim {
  return { param, enabled, effort: enabled ? undefined : 'none' }
}

/** `preserve_thinking: true`, or `thinking: {type: enabled, keep: all}` (docs/api/chat-completions.md#reasoning). */
export function readPreserveThinking({ preserve_thinking, thinking }: ChatBody): { asked: boolean; param: string } {
  if (thinking?.keep == null) return { asked: preserve_thinking === true, param: 'preserve_thinking' }
  const param = 'thinking.keep'
  if (thinking.type === 'disabled') {
    fail('schema_validation_failed', { problem: "'thinking.keep' needs 'thinking.type' to be 'enabled'." }, { param })
  }
  if (preserve_thinking === false) {
    fail('schema_validation_failed', { problem: "'thinking.keep' contradicts 'preserve_thinking'." }, { param })
  }
  return { asked: true, param }
}
