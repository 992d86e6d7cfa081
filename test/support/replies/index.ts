/**
 * Replies of all surfaces, reduced to their content. The readers are strict: an event out of order, or a final
 * object that differs from what its own stream said, throws.
 */
import { chatReply, chatStream } from './chat.ts'
import { textReply, textStream } from './completions.ts'
import { messagesReply, messagesStream } from './messages.ts'
import type { Outcome } from './outcome.ts'
import { responsesReply, responsesStream } from './responses.ts'

export type { Call, Failed, Outcome, Told } from './outcome.ts'

export const SURFACES = ['chat', 'messages', 'responses', 'completions'] as const
export type Surface = (typeof SURFACES)[number]

const READERS = {
  chat: { whole: chatReply, stream: chatStream },
  messages: { whole: messagesReply, stream: messagesStream },
  responses: { whole: responsesReply, stream: responsesStream },
  completions: { whole: textReply, stream: textStream },
} as const satisfies Record<Surface, Record<'whole' | 'stream', (body: string) => Outcome>>

/** Reads an answer of the gateway to its end. */
export async function readOutcome(surface: Surface, response: Response): Promise<Outcome> {
  const body = await response.text()
  if (response.status !== 200) {
    const { error } = JSON.parse(body) as { readonly error: { readonly code: string } }
    return { failed: error.code, status: response.status }
  }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return READERS[surface][isStream ? 'stream' : 'whole'](body)
}
