/** The same request on each of the four inference routes. */
import type { Json, JsonObject } from '../../lib/base/json.ts'
import type { SeenRequest } from './backend.ts'

export interface SurfaceCall {
  readonly name: 'chat' | 'completions' | 'messages' | 'responses'
  readonly path: string
  /** A body with `text` for the model. */
  body(text: string, stream: boolean): JsonObject
  /** The end of a complete stream, which occurs nowhere else in it. */
  readonly ending: string
  /** The end of a failed one. */
  readonly failure: RegExp
}

export const SURFACES: readonly SurfaceCall[] = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    body: (text, stream) => ({ model: 'm', stream, messages: [{ role: 'user', content: text }] }),
    ending: 'data: [DONE]\n\n',
    failure: /data: (\{"error":\{[^\n]*\})\n\n$/,
  },
  {
    name: 'completions',
    path: '/v1/completions',
    body: (text, stream) => ({ model: 'm', stream, prompt: text }),
    ending: 'data: [DONE]\n\n',
    failure: /data: (\{"error":\{[^\n]*\})\n\n$/,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: (text, stream) => ({ model: 'm', max_tokens: 50, stream, messages: [{ role: 'user', content: text }] }),
    ending: 'event: message_stop\n',
    failure: /event: error\ndata: (\{"type":"error","error":\{[^\n]*\})\n\n$/,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: (text, stream) => ({ model: 'm', stream, input: text }),
    ending: 'event: response.completed\n',
    failure: /event: response\.failed\ndata: (\{"type":"response\.failed",[^\n]*\})\n\n$/,
  },
]

/** The text in the backend's request for such a body. */
export function saidTo({ body }: SeenRequest): string {
  const { messages, prompt } = body
  const said = Array.isArray(messages) ? (messages.at(-1) as JsonObject).content : prompt
  return typeof said === 'string' ? said : ''
}

/** An event of a backend's stream for this route. */
export function streamEvent({ path }: SeenRequest, text: string | undefined, finish: string | null = null): JsonObject {
  const choice: Record<string, Json> = path.endsWith('/chat/completions')
    ? { index: 0, delta: text === undefined ? {} : { content: text }, finish_reason: finish }
    : { index: 0, text: text ?? '', finish_reason: finish }
  return { id: 'c', created: 1, model: 'm', choices: [choice] }
}

/** A JSON reply of a backend. */
export function wholeReply({ path }: SeenRequest, text: string): JsonObject {
  const choice: Record<string, Json> = path.endsWith('/chat/completions')
    ? { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }
    : { index: 0, text, finish_reason: 'stop' }
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
  return { id: 'c', created: 1, model: 'm', choices: [choice], usage }
}
