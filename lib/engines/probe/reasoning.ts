import type { JsonObject } from '../../base/json.ts'
import { EFFORTS } from '../../canonical/request.ts'
import type { BackendProfile } from '../../config/profile.ts'
import { chat, type ProbeSession } from './client.ts'
import { at, deltasOf, isOk, promptTokens } from './reply.ts'

export interface ReasoningFindings {
  readonly reasoning: boolean | 'always'
  /** undefined: the model does not reason. */
  readonly thinking_kwarg: BackendProfile['thinking_kwarg'] | undefined
  readonly efforts: readonly string[]
}

/** Arguments of chat templates that switch reasoning. */
const SWITCHES = ['enable_thinking', 'thinking'] as const
/** An effort that no server knows. */
const UNKNOWN_EFFORT = 'sluiceway-probe'

/** Checks whether the model reasons, what switches reasoning, and which efforts the server accepts. */
export async function probeReasoning(session: ProbeSession): Promise<ReasoningFindings> {
  const efforts = await acceptedEfforts(session)
  let isSwitchable = true
  for (const name of SWITCHES) {
    const on = await reasons(session, { chat_template_kwargs: { [name]: true } })
    const off = await reasons(session, { chat_template_kwargs: { [name]: false } })
    if (on && !off) {
      if (await reasons(session, {})) session.note('Reasons unless a request switches it off.')
      return { reasoning: true, thinking_kwarg: name, efforts }
    }
    isSwitchable &&= !(on && off)
  }
  if (!isSwitchable) {
    const quiet = !(await reasons(session, { reasoning_effort: 'none' }))
    return { reasoning: quiet || 'always', thinking_kwarg: null, efforts: quiet ? withNone(efforts) : efforts }
  }
  const byEffort = await reasons(session, { reasoning_effort: 'high' })
  return { reasoning: byEffort, thinking_kwarg: byEffort ? null : undefined, efforts }
}

/** Efforts that every chat template with efforts supports. */
const USUAL_EFFORTS = ['low', 'medium', 'high']

/**
 * A server that accepts an unknown effort ignores the member, or passes it to the chat template (llama.cpp). In the
 * latter case, different efforts give different numbers of prompt tokens.
 */
async function acceptedEfforts(session: ProbeSession): Promise<readonly string[]> {
  const unknown = await chat(session, { reasoning_effort: UNKNOWN_EFFORT })
  if (isOk(unknown)) {
    const usual = await chat(session, { reasoning_effort: 'high' })
    return isOk(usual) && promptTokens(usual) !== promptTokens(unknown) ? USUAL_EFFORTS : []
  }
  const accepted: string[] = []
  for (const effort of EFFORTS) {
    if (isOk(await chat(session, { reasoning_effort: effort }))) accepted.push(effort)
  }
  return accepted
}

/** Adds `none`, which switches reasoning off even if the server does not validate efforts. */
function withNone(efforts: readonly string[]): readonly string[] {
  return efforts.includes('none') ? efforts : ['none', ...efforts]
}

/** Requests a stream: there, engines separate reasoning from text at the first token, otherwise only at the end. */
async function reasons(session: ProbeSession, more: JsonObject): Promise<boolean> {
  const deltas = deltasOf(await chat(session, { stream: true, max_tokens: 16, ...more }))
  const content = deltas.map(delta => at(delta, 'content')).join('')
  if (content.trimStart().startsWith('<think>')) {
    session.note('Reasoning arrives as text between <think> tags: start the server with its reasoning parser.')
  }
  return deltas.some(delta => isText(at(delta, 'reasoning_content')) || isText(at(delta, 'reasoning')))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
