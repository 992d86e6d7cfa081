/** The public module of this room: reads request bodies, shows them to plugins, and writes bodies for backends. */

export { type BodiesHost, createBodies, memoryLimits, unlimitedBodies } from './bodies.ts'
export { refuseCoding } from './coding.ts'
export { discardBody, isUnread, isWorthReading } from './discard.ts'
export { feedBody, watchUpload } from './feed.ts'
export { fieldTypes } from './form/fields.ts'
export { FormBody } from './form/form-body.ts'
export { FORM_BYTES, type FormParser, formParser } from './form/parser.ts'
export { Upload } from './form/upload.ts'
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
} from './lazy-text.ts'
export type { BodyCharge, BodyMemory } from './memory.ts'
export { breakBody, readBody } from './read.ts'
export {
  EMPTY_BODY,
  JsonBody,
  lazyBody,
  type OutgoingBody,
  outgoingJson,
  parseEnvelope,
  type RequestBody,
  requestBody,
} from './request-body.ts'
