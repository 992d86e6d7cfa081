import type { Json, JsonObject } from '../../base/json.ts'
import type { Engine } from '../../config/profile.ts'
import type { ProbeClient, ProbeReply } from './client.ts'

/** Passed to every check of a probe. */
export interface ProbeSession {
  readonly client: ProbeClient
  readonly model: string
  readonly engine: Engine
  /** Members that switch reasoning off, so that the few tokens of a check are content. */
  readonly reasoningOff: JsonObject
  /** Tokens for a reply of a few words; more where reasoning cannot be switched off. */
  readonly shortReplyTokens: number
  readonly note: (text: string) => void
}

export const QUESTION = 'Say hello.'

export function user(content: Json): JsonObject {
  return { role: 'user', content }
}

/** Sends a chat request: a short question with max_tokens 1, unless `more` has other members. */
export function chat({ client, model, reasoningOff }: ProbeSession, more: JsonObject = {}): Promise<ProbeReply> {
  const body = { model, messages: [user(QUESTION)], max_tokens: 1, temperature: 0, ...reasoningOff, ...more }
  return client.post(`${client.base}/chat/completions`, body)
}
