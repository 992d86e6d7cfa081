/** The door of this room: reading request bodies, what a plugin sees of them, and bodies for backends. */

export { type BodiesHost, createBodies, memoryLimits, unlimitedBodies } from './bodies.ts'
export { discardBody, isUnread, isWorthReading } from './discard.ts'
export { feedBody } from './feed.ts'
export type { ArrivalListener, ArrivingBody } from './form/arriving.ts'
export { fieldTypes } from './form/fields.ts'
export { FormBody } from './form/form-body.ts'
export { type FormParser, formParser } from './form/parser.ts'
export { Upload } from './form/upload.ts'
export { breakBody } from './interrupted.ts'
export {
  hasImages,
  imageParts,
  isText,
  partsOf,
  replaceStart,
  textBytes,
  textEnd,
  textPieces,
  textSample,
  textStart,
  withoutDecoding,
} from './lazy-members.ts'
export type { BodyCharge, BodyMemory } from './memory.ts'
export { readBody } from './read.ts'
export {
  EMPTY_BODY,
  JsonBody,
  lazyBody,
  type OutgoingBody,
  outgoingJson,
  type RequestBody,
  requestBody,
} from './request-body.ts'
