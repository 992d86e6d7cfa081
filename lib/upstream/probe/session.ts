import type { Json, JsonObject } from '../../base/json.ts'
import type { Engine } from '../../config/profile.ts'
import type { ProbeClient, ProbeReply } from './client.ts'

/** What every check needs: client, model, and the members that switch reasoning off. */
export interface ProbeSession {
  readonly client: ProbeClient
  readonly model: string
  readonly engine: Engine
  /** Members that switch reasoning off, so that the few tokens of a check are content. */
  readonly quiet: JsonObject
  /** Tokens for a reply of a few words; more where reasoning cannot be switched off. */
  readonly enough: number
  readonly note: (text: string) => void
}

export const QUESTION = 'Say hello.'

export function user(content: Json): JsonObject {
  return { role: 'user', content }
}

/** Sends a chat request: a short question with max_tokens 1, unless `more` has other members. */
export function chat({ client, model, quiet }: ProbeSession, more: JsonObject = {}): Promise<ProbeReply> {
  const body = { model, messages: [user(QUESTION)], max_tokens: 1, temperature: 0, ...quiet, ...more }
  return client.post(`${client.base}/chat/completions`, body)
}
