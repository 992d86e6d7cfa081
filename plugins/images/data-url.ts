import { MARK_START } from '../../lib/body/detach.ts'

const DATA_URL = /^data:image\/(png|jpeg|jpg|gif|webp);base64,/i
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** How much of each end is looked at: a typing error shows there, and megabytes need not be read for it. */
const SAMPLE = 256

/** The URL in its usual spelling, or undefined where it is no base64 image of a type that models take. */
export function readDataUrl(url: string): string | undefined {
  const prefix = DATA_URL.exec(url)
  if (prefix === null) return undefined
  const start = prefix[0].length
  // Of a long text in a large body only the start is here (lib/body/detach.ts).
  const mark = url.indexOf(MARK_START, start)
  const end = mark === -1 ? url.length : mark
  const isBase64 =
    end - start <= 2 * SAMPLE
      ? BASE64.test(url.slice(start, end))
      : BASE64.test(url.slice(start, start + SAMPLE)) && BASE64.test(url.slice(end - SAMPLE, end))
  if (!isBase64) return undefined
  const type = prefix[1]!.toLowerCase()
  const usual = `data:image/${type === 'jpg' ? 'jpeg' : type};base64,`
  return prefix[0] === usual ? url : usual + url.slice(start)
}
