/** What a byte-pipe request takes in units other than tokens: characters, images, seconds of audio. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Route } from '../routes/routes.ts'

/** A unit in which requests to models without tokens are counted. */
export type Unit = 'characters' | 'images' | 'seconds'

/** What a request takes. */
export interface Units {
  readonly unit: Unit
  readonly units: number
}

/** Seconds of audio in a byte, approximately: MP3 at 128 kbit/s has a minute in a megabyte. */
const SECONDS_PER_BYTE = 60 / 1_000_000

/** What a request asks for; undefined: models of this kind count tokens alone. `bytes`: size of a form. */
export function requestedUnits(kind: Route['kind'], body: JsonObject, bytes: number): Units | undefined {
  if (kind === 'speech' || kind === 'moderation') return { unit: 'characters', units: charactersOf(body.input) }
  if (kind === 'image') return { unit: 'images', units: typeof body.n === 'number' ? body.n : 1 }
  if (kind === 'transcription') return { unit: 'seconds', units: Math.ceil(bytes * SECONDS_PER_BYTE) }
  return undefined
}

/** Unicode characters of a text, of a list of texts, or of the texts of parts. */
function charactersOf(input: Json | undefined): number {
  if (typeof input === 'string') return codePointsOf(input)
  if (!Array.isArray(input)) return 0
  return input.reduce((sum: number, item) => sum + charactersOf(isObject(item) ? item.text : item), 0)
}

function codePointsOf(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length; i++) if (text.codePointAt(i)! > 0xffff) pairs++
  return text.length - pairs
}
