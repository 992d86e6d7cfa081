import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, PROFILES } from '../../config/profile.ts'
import { chat, type ProbeSession } from './client.ts'
import { at, errorMessage, isOk, promptTokens } from './reply.ts'

const PROMPT = 'The harbour lights go out'
/** Long enough to increase the number of prompt tokens. */
const SUFFIX = ' and every ship that has passed the gate turns back to look for them in the dark of the bay.'

/** Members of text completions that the server applies. Members without evidence keep the value of the profile. */
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
  const isApplied = {
    echo: isOk(echoed) && typeof text === 'string' && text.startsWith(PROMPT),
    suffix: isOk(suffixed) && (isCounted ? after > before : usual.includes('suffix')),
    // The better choice cannot be recognised. Only a refusal is a finding.
    best_of: usual.includes('best_of') && isOk(await ask({ best_of: 2, temperature: 1 })),
  }
  return (['echo', 'suffix', 'best_of'] as const).filter(member => isApplied[member])
}

/** Limit of the gateway on all routes. */
const MAX_STOP_STRINGS = 64

/** The server's limit of stop strings, read from the refusal of too many; null: none below that of the gateway. */
export async function probeStop(session: ProbeSession): Promise<BackendProfile['max_stop_strings']> {
  const usual = PROFILES[session.engine].max_stop_strings
  const stop = Array.from({ length: MAX_STOP_STRINGS }, (_, i) => `zq${i}`)
  const reply = await chat(session, { stop })
  if (isOk(reply)) return null
  const limit = /at most (\d{1,4})/.exec(errorMessage(reply))?.[1]
  return limit === undefined ? usual : Number(limit)
}

/** The value of top_k that means all tokens: 0, unless only -1 is accepted. */
export async function probeTopK(session: ProbeSession): Promise<BackendProfile['top_k_all']> {
  if (isOk(await chat(session, { top_k: 0 }))) return 0
  return isOk(await chat(session, { top_k: -1 })) ? -1 : PROFILES[session.engine].top_k_all
}

const SEED_HINTS: Readonly<Record<string, string>> = {
  sglang: ' Start SGLang with --enable-deterministic-inference.',
}

/** Adds a note if equal requests with a seed get different replies. Equal replies prove nothing. */
export async function probeSeed(session: ProbeSession): Promise<void> {
  const more = { seed: 7, temperature: 1.5, max_tokens: session.shortReplyTokens }
  const replies = [await chat(session, more), await chat(session, more)].map(reply =>
    at(reply.body, 'choices', 0, 'message', 'content'),
  )
  if (replies[0] !== replies[1]) session.note(`Ignores \`seed\`.${SEED_HINTS[session.engine] ?? ''}`)
}
