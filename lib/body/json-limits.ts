/** Limits of parsed JSON: depth and number of values, with the messages of refusals. read.ts limits the size in bytes. */

/** Deepest nesting of arrays and objects that is accepted. Real schemas stay below 40. */
export const MAX_DEPTH = 128

/** Most single JSON values: checking and translating more of them would block the event loop for too long. */
export const MAX_VALUES = 1_000_000

/** Bodies of more values than this yield to the event loop between hooks. */
export const HEAVY_VALUES = 20_000

export const TOO_DEEP = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`

export const TOO_MANY = `The body holds more than ${MAX_VALUES} JSON values.`

export const NOT_UTF8 = 'The body is not valid UTF-8.'

export const NOT_JSON = 'The body is not valid JSON.'
