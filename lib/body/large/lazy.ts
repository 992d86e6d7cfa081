import type { ChatRequest, Message } from '../../canonical/request.ts'
import {
  findPlaceholders,
  type HoldContext,
  holdTexts,
  readUndecoded,
  showPlaceholders,
  showsPlaceholders,
} from './held.ts'

/** Where a request keeps what its messages need, as long as they have no accessors. Not enumerable. */
const WAITING = Symbol('messages without accessors')

interface Waiting {
  [WAITING]?: HoldContext | undefined
}

/**
 * The messages of this request get their accessors when a plugin reads `request.messages`. Making them costs half a
 * microsecond for each text, at once, and no plugin reads the messages of most requests other than by walkMessages().
 */
export function holdMessagesWhenRead(request: ChatRequest, context: HoldContext): void {
  const { messages } = request
  const settle = (owner: object, value: unknown) => {
    Object.defineProperty(owner, 'messages', { enumerable: true, configurable: true, writable: true, value })
    // A request that is released must not keep the bytes of the body in memory.
    if (owner === request) (request as Waiting)[WAITING] = undefined
  }
  Object.defineProperty(request, WAITING, { writable: true, value: context })
  Object.defineProperty(request, 'messages', {
    enumerable: true,
    configurable: true,
    get() {
      if (showsPlaceholders(context.texts)) return messages
      settle(request, messages)
      showPlaceholders(context.texts, () => holdTexts(request, ['messages'], context))
      return messages
    },
    set(this: object, value: unknown) {
      settle(this, value)
    },
  })
}

/**
 * Calls `walk` with the messages of a request. Texts of messages, parts and tool calls may be placeholders inside of it: it
 * reads them with isText(), partsOf(), wholeText() and the other functions of access.ts, may assign them, and keeps none of
 * the objects. Synchronous.
 */
export function walkMessages<A, T>(
  request: ChatRequest,
  walk: (messages: readonly Message[], argument: A) => T,
  argument: A,
): T {
  const waiting = (request as Waiting)[WAITING]
  if (waiting === undefined) return walk(request.messages, argument)
  return findPlaceholders(waiting, walk, readUndecoded(request, 'messages'), argument)
}
