import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, PROFILES } from '../../config/profile.ts'
import { contentOf } from './reply.ts'
import { chat, type ProbeSession, QUESTION, user } from './session.ts'

export interface StructuredFindings {
  readonly structured: BackendProfile['structured']
  readonly structured_outputs: boolean
  readonly regex: boolean
  readonly grammar: boolean
}

/** Grammars made from a schema leave room for blanks. */
const ANSWER_TOKENS = 64

type Place = Exclude<BackendProfile['structured'], 'response_format_only'>

/** A text that no model says of its own accord. */
const REGEX = 'zq[0-9]{4}'
const GRAMMAR = 'root ::= "zq" [0-9] [0-9]'
const MATCH = /^zq/

const SCHEMA = {
  type: 'object',
  properties: { zq: { type: 'integer' } },
  required: ['zq'],
  additionalProperties: false,
}

/** Where each engine reads constraints; the bodies stand beside those of backend/wire/structured.ts. */
const PLACES: Readonly<Record<Place, { readonly regex: JsonObject | undefined; readonly grammar: JsonObject }>> = {
  structured_outputs: {
    regex: { structured_outputs: { regex: REGEX } },
    grammar: { structured_outputs: { grammar: GRAMMAR } },
  },
  sglang: { regex: { regex: REGEX }, grammar: { ebnf: GRAMMAR } },
  'llama.cpp': { regex: undefined, grammar: { grammar: GRAMMAR } },
}

/** Asks for answers under constraints, in the words of each engine, and sees which ones hold. */
export async function probeStructured(session: ProbeSession): Promise<StructuredFindings> {
  const answers = async (more: JsonObject | undefined, expected: RegExp): Promise<boolean> => {
    if (more === undefined) return false
    const reply = await chat(session, {
      messages: [user(QUESTION)],
      max_tokens: Math.max(ANSWER_TOKENS, session.enough),
      ...more,
    })
    return expected.test(contentOf(reply))
  }
  const format = { type: 'json_schema', json_schema: { name: 'probe', schema: SCHEMA, strict: true } }
  const structured_outputs = await answers({ response_format: format }, /^\s*\{\s*"zq"/)
  for (const place of placesFrom(PROFILES[session.engine].structured)) {
    const regex = await answers(PLACES[place].regex, MATCH)
    const grammar = await answers(PLACES[place].grammar, MATCH)
    if (regex || grammar) return { structured: place, structured_outputs, regex, grammar }
  }
  return { structured: 'response_format_only', structured_outputs, regex: false, grammar: false }
}

/** The engine's usual place first: a server that reads several of them is asked no more than needed. */
function placesFrom(usual: BackendProfile['structured']): readonly Place[] {
  const places: readonly Place[] = ['structured_outputs', 'sglang', 'llama.cpp']
  return places.toSorted((a, b) => Number(b === usual) - Number(a === usual))
}
