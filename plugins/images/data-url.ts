import { type ImagePart, replaceStart, textEnd, textStart } from '../../lib/plugin.ts'

const DATA_URL = /^data:image\/(png|jpeg|jpg|gif|webp);base64,/i
const LONGEST_PREFIX = 'data:image/jpeg;base64,'.length
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** Characters of each end that are checked: a typing error shows there, and megabytes need not be read for it. */
const SAMPLE = 256

/** True where the image is a data URL, of any type. */
export function isDataUrl(part: ImagePart): boolean {
  return textStart(part, 'url', 5).toLowerCase() === 'data:'
}

/** Normalises the prefix of a data URL. False if its data is not base64 of an image type that models accept. */
export function normaliseDataUrl(part: ImagePart): boolean {
  const start = textStart(part, 'url', LONGEST_PREFIX + 2 * SAMPLE + 1)
  const prefix = DATA_URL.exec(start)
  if (prefix === null || !isBase64(part, start.slice(prefix[0].length))) return false
  const type = prefix[1]!.toLowerCase()
  const usual = `data:image/${type === 'jpg' ? 'jpeg' : type};base64,`
  if (prefix[0] !== usual) replaceStart(part, 'url', prefix[0].length, usual)
  return true
}

/** `start`: of the data, all of it where it is not longer than two samples. */
function isBase64(part: ImagePart, start: string): boolean {
  if (start.length <= 2 * SAMPLE) return BASE64.test(start)
  return BASE64.test(start.slice(0, SAMPLE)) && BASE64.test(textEnd(part, 'url', SAMPLE))
}
