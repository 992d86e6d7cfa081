/** Speech, images and moderations, which are computed from the texts. */
import type { Json, JsonObject } from '../lib/base/json.ts'
import type { AudioRoute } from './audio.ts'
import type { PoolingRoute } from './engine-traits.ts'
import { badRequest } from './refusal.ts'

const CREATED = 1_700_000_000

/** Bytes of audio per character: 16 kbit/s, and fifteen characters a second. */
const BYTES_PER_CHARACTER = 133

/** Silence. */
export const speak: PoolingRoute = ({ input, response_format }) => {
  if (typeof input !== 'string') throw badRequest('input must be a string', 'input')
  const type = typeof response_format === 'string' && response_format !== 'mp3' ? response_format : 'mpeg'
  return { mediaType: `audio/${type}`, bytes: Buffer.alloc(input.length * BYTES_PER_CHARACTER) }
}

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function images(n: Json | undefined): JsonObject {
  return { created: CREATED, data: Array.from({ length: Number(n ?? 1) }, () => ({ b64_json: PIXEL })) }
}

export const draw: PoolingRoute = ({ n }) => images(n)

export const edit: AudioRoute = ({ fields }) => ({
  mediaType: 'application/json',
  parts: [JSON.stringify(images(fields.n))],
})

/** A text with the word `harm` is flagged. */
export const moderate: PoolingRoute = ({ input }, { model }) => {
  const inputs = Array.isArray(input) && typeof input[0] === 'string' ? input : [input]
  const results = inputs.map(one => {
    const flagged = JSON.stringify(one ?? '').includes('harm')
    return { flagged, categories: { violence: flagged }, category_scores: { violence: Number(flagged) } }
  })
  return { id: 'modr-1', model, results }
}
