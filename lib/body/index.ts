/** The door of this room: reading request bodies, what a plugin sees of them, and bodies for backends. */

export type { ArrivalListener, ArrivingBody } from './arriving.ts'
export { type BodiesHost, budgetLimits, createBodies, unlimitedBodies } from './bodies.ts'
export { BodyBudget, type BodyCharge } from './budget.ts'
export { BufferPool } from './buffer-pool.ts'
export { feedBody } from './feed.ts'
export { fieldTypes } from './form/fields.ts'
export { FormBody } from './form/form-body.ts'
export { type FormParser, formParser } from './form/parser.ts'
export { Upload } from './form/upload.ts'
export { LARGE_BYTES } from './intake.ts'
export {
  isText,
  mostCharacters,
  partsOf,
  replaceStart,
  scanText,
  textBytes,
  textEnd,
  textPieces,
  textStart,
  walkMessages,
  walkMessagesInSteps,
  wholeText,
} from './large/access.ts'
export { asLargeBody } from './large/as-large.ts'
export { withoutDecoding, withoutDecodingInSteps } from './large/held.ts'
export type { TextScanner } from './large/texts.ts'
export { type OutgoingBody, type SendingProgress, textBody } from './outgoing.ts'
export { discardBody, isUnread, isWorthReading, readBody } from './read.ts'
export { breakBody, brokenBodyError, onBodyBroken } from './reading.ts'
export type { RequestBody } from './request-body.ts'
export { EMPTY_BODY, requestBody, SmallBody } from './small-body.ts'
export { ReadingWatch } from './watch.ts'
