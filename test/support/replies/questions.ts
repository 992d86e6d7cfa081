import type { JsonObject } from '../../../lib/base/json.ts'
import type { Surface } from './index.ts'

const messages = [{ role: 'user', content: 'Hi' }]

/** The same question on every surface; reasoning is shown and `END` stops, where there is a way to say so. */
export const QUESTIONS: Readonly<Record<Surface, { readonly path: string; readonly body: JsonObject }>> = {
  chat: { path: '/v1/chat/completions', body: { model: 'm', messages, stop: ['END'], reasoning_effort: 'high' } },
  messages: {
    path: '/v1/messages',
    body: { model: 'm', messages, max_tokens: 100, stop_sequences: ['END'], thinking: { type: 'enabled' } },
  },
  responses: { path: '/v1/responses', body: { model: 'm', input: 'Hi', reasoning: { effort: 'high' } } },
  completions: { path: '/v1/completions', body: { model: 'm', prompt: 'Hi', stop: ['END'] } },
}
