import type { Json, JsonObject } from '../../base/json.ts'
import type { Engine } from '../../config/profile.ts'
import type { ProbeClient, ProbeReply } from './client.ts'

/** What every check needs: whom to ask, about which model, and how to keep it from reasoning meanwhile. */
export interface ProbeSession {
  readonly client: ProbeClient
  readonly model: string
  readonly engine: Engine
  /** Members that switch reasoning off, so that the few tokens of a check go into the answer. */
  readonly quiet: JsonObject
  /** Tokens that an answer of a few words needs: more where reasoning comes first and cannot be switched off. */
  readonly enough: number
  readonly note: (text: string) => void
}

export const QUESTION = 'Say hello.'

export function user(content: Json): JsonObject {
  return { role: 'user', content }
}

/** One chat request: a short question and one token of answer unless `more` says otherwise. */
export function chat({ client, model, quiet }: ProbeSession, more: JsonObject = {}): Promise<ProbeReply> {
  const body = { model, messages: [user(QUESTION)], max_tokens: 1, temperature: 0, ...quiet, ...more }
  return client.post(`${client.base}/chat/completions`, body)
}
