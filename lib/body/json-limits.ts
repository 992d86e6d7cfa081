/** Limits of parsed JSON, with the messages of refusals. read.ts limits the size in bytes. */

/** Deepest nesting of arrays and objects that is accepted. Real schemas stay below 40. */
export const MAX_DEPTH = 128

/** Most single JSON values: checking and translating more of them would block the event loop for too long. */
export const MAX_VALUES = 1_000_000

/**
 * Most heap that the values of a body may take beside the bytes of their texts, by the weights of weight.ts: a million empty
 * objects, or 200,000 messages with short texts.
 */
export const MAX_WEIGHT = 64 * 1024 * 1024

/** Bodies of more values than this yield to the event loop between hooks. */
export const HEAVY_VALUES = 20_000

/** Longest name of a member in bytes, in a body that is parsed while it arrives: a name is kept whole, and parsed at once. */
export const LONGEST_NAME = 4 * 1024 * 1024

export const TOO_DEEP = `The body nests arrays and objects more than ${MAX_DEPTH} levels deep.`

export const TOO_HEAVY = 'The body holds too many JSON values.'

export const NAME_TOO_LONG = `A member's name is longer than ${LONGEST_NAME} bytes.`

export const NOT_UTF8 = 'The body is not valid UTF-8.'

export const NOT_JSON = 'The body is not valid JSON.'
