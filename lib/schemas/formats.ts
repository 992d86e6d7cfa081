/** Formats of strings by their names in schemas. Generated checks import them too. */
import { isUuid } from '../base/ids.ts'
import { parseIso, parseTime } from '../base/time.ts'

/** Formats that are stricter than those of ajv-formats, and the own formats `day-or-time` and `line`. */
export const FORMATS = {
  'date-time': (text: string) => parseIso(text) !== undefined,
  'day-or-time': (text: string) => parseTime(text) !== undefined,
  uri: (text: string) => URL.canParse(text) && !/\s/.test(text),
  uuid: isUuid,
  // A name or a note by a person, which tables and logs show.
  line: (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text),
}
