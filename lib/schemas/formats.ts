/** Formats of texts, by the name that schemas give them. Generated checks refer to them too. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isUuid } from '../base/ids.ts'
import { parseIso } from '../base/time.ts'

/** Formats that are stricter here than in ajv-formats, and one of our own. */
export const OWN_FORMATS = {
  'date-time': (text: string) => parseIso(text) !== undefined,
  uuid: isUuid,
  // A name or a note of people, which tables and logs show.
  line: (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text),
}

export const FORMATS = { ...fullFormats, ...OWN_FORMATS }
