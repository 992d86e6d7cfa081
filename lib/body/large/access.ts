/** Access to messages and texts of a canonical request for plugins that need a size, a start or a part, and not all of them. */
import type { Steps } from '../../base/steps.ts'
import type { ChatRequest, ContentPart, Message } from '../../canonical/request.ts'
import { findPlaceholders, heldText, holdMember, holdTexts } from './accessors.ts'
import { type HoldContext, readUndecoded, showPlaceholders, showsPlaceholders } from './held.ts'
import type { TextScanner } from './texts.ts'

const NO_PARTS: readonly ContentPart[] = Object.freeze([])

/** True where the member is a text. */
export function isText<T extends object>(holder: T, name: keyof T): boolean {
  return typeof readUndecoded(holder, name) === 'string'
}

/** The parts of a message; none where its content is one text. */
export function partsOf(message: Message): readonly ContentPart[] {
  const content = readUndecoded(message, 'content')
  return Array.isArray(content) ? content : NO_PARTS
}

/**
 * The size of a text in bytes of UTF-8, for estimates: the escapes of a long text may be counted as the client wrote them.
 * 0 where the member is no text.
 */
export function textBytes<T extends object>(holder: T, name: keyof T): number {
  const held = heldText(holder, name)
  if (held !== undefined) return held.byteLength
  const text = holder[name]
  return typeof text === 'string' ? Buffer.byteLength(text) : 0
}

/** At least as many characters as a text has: exactly those of one that is decoded, else about its bytes. */
export function mostCharacters<T extends object>(holder: T, name: keyof T): number {
  const held = heldText(holder, name)
  if (held !== undefined) return held.mostCharacters
  const text = holder[name]
  return typeof text === 'string' ? text.length : 0
}

/** A text in pieces, in order; a long one is decoded only as far as the caller iterates. None where the member is no text. */
export function textPieces<T extends object>(holder: T, name: keyof T): Iterable<string> {
  const held = heldText(holder, name)
  if (held !== undefined) return held.pieces()
  const text = holder[name]
  return typeof text === 'string' ? [text] : []
}

/** Shows a text to `scanner` as it is in memory: one that is not decoded as bytes of UTF-8, with the escapes of the client. */
export function scanText<T extends object>(holder: T, name: keyof T, scanner: TextScanner): void {
  const held = heldText(holder, name)
  if (held !== undefined) return held.scan(scanner)
  const text = holder[name]
  if (typeof text === 'string') scanner.text(text, 0, text.length)
}

/** All of a text; '' where the member is none. For a walk of messages: elsewhere the member itself reads as its text. */
export function wholeText<T extends object>(holder: T, name: keyof T): string {
  const held = heldText(holder, name)
  if (held !== undefined) return held.value
  const text = holder[name]
  return typeof text === 'string' ? text : ''
}

/** The first `count` characters of a text. */
export function textStart<T extends object>(holder: T, name: keyof T, count: number): string {
  let start = ''
  for (const piece of textPieces(holder, name)) {
    start += piece
    if (start.length >= count) break
  }
  return start.slice(0, count)
}

/** The last `count` characters of a text. */
export function textEnd<T extends object>(holder: T, name: keyof T, count: number): string {
  const held = heldText(holder, name)
  const text = held === undefined ? holder[name] : held.end(count)
  return typeof text === 'string' ? text.slice(-count) : ''
}

/** Replaces the first `count` characters of a text by others. */
export function replaceStart<T extends object, K extends keyof T & string>(
  holder: T & Record<K, string>,
  name: K,
  count: number,
  by: string,
): void {
  const held = heldText(holder, name)
  const text = held?.withStart(count, by)
  if (held === undefined || text === undefined) holder[name] = (by + holder[name].slice(count)) as (typeof holder)[K]
  else holdMember(holder, name, text, held.context)
}

/** Where a request keeps what its messages need, as long as they have no accessors. Not enumerable. */
const WAITING = Symbol('messages without accessors')

interface Waiting {
  readonly request: ChatRequest
  readonly messages: Message[]
  readonly context: HoldContext
}

interface MayWait {
  [WAITING]?: Waiting | undefined
}

function waitingOf(request: object): Waiting | undefined {
  return (request as MayWait)[WAITING]
}

/**
 * The messages of this request get their accessors when a plugin reads `request.messages`. Making them costs half a
 * microsecond for each text, at once, and no plugin reads the messages of most requests other than by walkMessages().
 */
export function holdMessagesWhenRead(request: ChatRequest, context: HoldContext): void {
  const { messages } = request
  Object.defineProperty(request, WAITING, { writable: true, value: { request, messages, context } satisfies Waiting })
  Object.defineProperty(request, 'messages', MESSAGES)
}

/**
 * The same functions for all requests. V8 keeps accessors in the hidden class of their object, in its old generation: functions
 * made for one request would keep its whole body in memory until the next full collection, though nothing else knows it.
 */
const MESSAGES: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: object) {
    const { request, messages, context } = waitingOf(this)!
    if (showsPlaceholders(context.texts)) return messages
    settleMessages(request, messages)
    showPlaceholders(context.texts, () => holdTexts(request, ['messages'], context))
    return messages
  },
  set(this: object, value: unknown) {
    settleMessages(this, value)
  },
}

/** Makes `messages` an ordinary member of this object. */
function settleMessages(owner: object, value: unknown): void {
  Object.defineProperty(owner, 'messages', { enumerable: true, configurable: true, writable: true, value })
  // A request that is released must not keep the bytes of the body in memory.
  if (waitingOf(owner)?.request === owner) (owner as MayWait)[WAITING] = undefined
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
  const waiting = waitingOf(request)
  if (waiting === undefined) return walk(request.messages, argument)
  return findPlaceholders(waiting.context, walk, readUndecoded(request, 'messages'), argument)
}

/**
 * Like walkMessages(), for a walk that may pause (lib/base/steps.ts): texts may be placeholders in each of its steps, and between
 * them nothing else uses the request.
 */
export function* walkMessagesInSteps<A, T>(
  request: ChatRequest,
  walk: (messages: readonly Message[], argument: A) => Steps<T>,
  argument: A,
): Steps<T> {
  const waiting = waitingOf(request)
  if (waiting === undefined) return yield* walk(request.messages, argument)
  const steps = walk(readUndecoded(request, 'messages'), argument)
  for (;;) {
    const { done, value } = findPlaceholders(waiting.context, step<T>, steps, undefined)
    if (done === true) return value
    yield
  }
}

function step<T>(steps: Steps<T>): IteratorResult<void, T> {
  return steps.next()
}
