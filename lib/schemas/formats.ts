/** Formats of strings by their names in schemas. Generated checks import them too. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isUuid } from '../base/ids.ts'
import { parseIso } from '../base/time.ts'

/** Formats that are stricter than those of ajv-formats, and the own format `line`. */
export const OWN_FORMATS = {
  'date-time': (text: string) => parseIso(text) !== undefined,
  uuid: isUuid,
  // A name or a note by a person, which tables and logs show.
  line: (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text),
}

export const FORMATS = { ...fullFormats, ...OWN_FORMATS }
