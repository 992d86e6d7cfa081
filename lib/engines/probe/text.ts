import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, PROFILES } from '../../config/profile.ts'
import { at, errorMessage, isOk, promptTokens } from './reply.ts'
import { chat, type ProbeSession } from './session.ts'

const PROMPT = 'The harbour lights go out'
/** Long enough to show in the number of prompt tokens. */
const SUFFIX = ' and every ship that has passed the gate turns back to look for them in the dark of the bay.'

/** Members of text completions that the server obeys. What nothing proves is left as the engine has it. */
export async function probeText({ client, model, engine }: ProbeSession): Promise<BackendProfile['text_members']> {
  const usual = PROFILES[engine].text_members
  const ask = (more: JsonObject) =>
    client.post(`${client.base}/completions`, { model, prompt: PROMPT, max_tokens: 1, ...more })
  const plain = await ask({})
  if (!isOk(plain)) return []
  const echoed = await ask({ echo: true })
  const text = at(echoed.body, 'choices', 0, 'text')
  const suffixed = await ask({ suffix: SUFFIX })
  const [before, after] = [promptTokens(plain), promptTokens(suffixed)]
  const isCounted = before !== undefined && after !== undefined
  const obeyed = {
    echo: isOk(echoed) && typeof text === 'string' && text.startsWith(PROMPT),
    suffix: isOk(suffixed) && (isCounted ? after > before : usual.includes('suffix')),
    // A better choice looks like any other: only a refusal is a finding.
    best_of: usual.includes('best_of') && isOk(await ask({ best_of: 2, temperature: 1 })),
  }
  return (['echo', 'suffix', 'best_of'] as const).filter(member => obeyed[member])
}

/** As many as the gateway takes on any route. */
const MANY_STOP_STRINGS = 64

/** The most stop strings of a request, from the refusal of too many. */
export async function probeStop(session: ProbeSession): Promise<BackendProfile['max_stop_strings']> {
  const usual = PROFILES[session.engine].max_stop_strings
  const stop = Array.from({ length: MANY_STOP_STRINGS }, (_, i) => `zq${i}`)
  const reply = await chat(session, { stop })
  if (isOk(reply)) return null
  const most = /at most (\d{1,4})/.exec(errorMessage(reply))?.[1]
  return most === undefined ? usual : Number(most)
}

/** The value of top_k for all tokens: 0, unless only -1 is accepted. */
export async function probeTopK(session: ProbeSession): Promise<BackendProfile['top_k_all']> {
  if (isOk(await chat(session, { top_k: 0 }))) return 0
  return isOk(await chat(session, { top_k: -1 })) ? -1 : PROFILES[session.engine].top_k_all
}

const SEED_HINTS: Readonly<Record<string, string>> = {
  sglang: ' Start SGLang with --enable-deterministic-inference.',
}

/** Notes where equal requests with a seed get different replies. Equal replies prove nothing. */
export async function probeSeed(session: ProbeSession): Promise<void> {
  const more = { seed: 7, temperature: 1.5, max_tokens: session.shortReplyTokens }
  const replies = [await chat(session, more), await chat(session, more)].map(reply =>
    at(reply.body, 'choices', 0, 'message', 'content'),
  )
  if (replies[0] !== replies[1]) session.note(`Ignores \`seed\`.${SEED_HINTS[session.engine] ?? ''}`)
}
