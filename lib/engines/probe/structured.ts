import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, PROFILES } from '../../config/profile.ts'
import { chat, type ProbeSession, QUESTION, user } from './client.ts'
import { contentOf } from './reply.ts'

interface StructuredFindings {
  readonly structured: BackendProfile['structured']
  readonly structured_outputs: boolean
  readonly regex: boolean
  readonly grammar: boolean
}

/** Allows for blanks, which grammars that are generated from a schema permit. */
const ANSWER_TOKENS = 64

type Syntax = Exclude<BackendProfile['structured'], 'response_format_only'>

/** Constraints whose texts no model generates otherwise. */
const REGEX = 'zq[0-9]{4}'
const GRAMMAR = 'root ::= "zq" [0-9] [0-9]'
const MATCH = /^zq/

const SCHEMA = {
  type: 'object',
  properties: { zq: { type: 'integer' } },
  required: ['zq'],
  additionalProperties: false,
}

/** The constraints in the members that each engine reads (encode/structured.ts). */
const CONSTRAINTS: Readonly<Record<Syntax, { readonly regex: JsonObject | undefined; readonly grammar: JsonObject }>> =
  {
    structured_outputs: {
      regex: { structured_outputs: { regex: REGEX } },
      grammar: { structured_outputs: { grammar: GRAMMAR } },
    },
    sglang: { regex: { regex: REGEX }, grammar: { ebnf: GRAMMAR } },
    'llama.cpp': { regex: undefined, grammar: { grammar: GRAMMAR } },
  }

/** Sends constraints in the syntax of each engine, and checks whether the replies match. */
export async function probeStructured(session: ProbeSession): Promise<StructuredFindings> {
  const answers = async (more: JsonObject | undefined, expected: RegExp): Promise<boolean> => {
    if (more === undefined) return false
    const reply = await chat(session, {
      messages: [user(QUESTION)],
      max_tokens: Math.max(ANSWER_TOKENS, session.shortReplyTokens),
      ...more,
    })
    return expected.test(contentOf(reply))
  }
  const format = { type: 'json_schema', json_schema: { name: 'probe', schema: SCHEMA, strict: true } }
  const structured_outputs = await answers({ response_format: format }, /^\s*\{\s*"zq"/)
  for (const syntax of syntaxesFrom(PROFILES[session.engine].structured)) {
    const regex = await answers(CONSTRAINTS[syntax].regex, MATCH)
    const grammar = await answers(CONSTRAINTS[syntax].grammar, MATCH)
    if (regex || grammar) return { structured: syntax, structured_outputs, regex, grammar }
  }
  return { structured: 'response_format_only', structured_outputs, regex: false, grammar: false }
}

/** All syntaxes, the usual one of the engine first: it needs the fewest requests. */
function syntaxesFrom(usual: BackendProfile['structured']): readonly Syntax[] {
  const syntaxes: readonly Syntax[] = ['structured_outputs', 'sglang', 'llama.cpp']
  return syntaxes.toSorted((a, b) => Number(b === usual) - Number(a === usual))
}
