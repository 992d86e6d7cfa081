import type { JsonObject } from '../../lib/base/json.ts'
import { atOnce, type Steps } from '../../lib/base/steps.ts'
import { BufferList } from '../../lib/body/buffer-list.ts'
import type { RequestBody } from '../../lib/body/index.ts'
import { BodyScanner, type ScanOptions } from '../../lib/body/large/scan.ts'
import type { DetachedTexts } from '../../lib/body/large/texts.ts'
import type { ReadBody } from '../../lib/body/request-body.ts'
import { requestBody } from '../../lib/body/small-body.ts'
import type { Format } from '../../lib/canonical/format.ts'
import type { CanonicalRequest } from '../../lib/canonical/request.ts'

/** A JSON text with its detached texts in it again. */
export function attached(json: string, texts: DetachedTexts): string {
  const list = new BufferList()
  texts.attach(json, list)
  return listText(list)
}

export function listText(list: BufferList): string {
  return Buffer.concat(Array.from({ length: list.count }, (_, index) => list.at(index))).toString()
}

/** The detached texts. */
export function textsOf(texts: DetachedTexts): readonly string[] {
  return Array.from({ length: texts.count }, (_, index) => {
    const list = new BufferList()
    texts.addTo(list, index)
    return listText(list)
  })
}

/** A body read as a large one, fed in pieces of these sizes, over and over. */
export function scanned(bytes: Buffer, sizes: readonly number[] = [], options: Partial<ScanOptions> = {}): ReadBody {
  const scanner = new BodyScanner({ detaches: true, ...options })
  for (let i = 0, at = 0; at < bytes.length; i++) {
    const end = at + (sizes.length === 0 ? bytes.length : sizes[i % sizes.length]!)
    scanner.feed(bytes.subarray(at, end))
    at = end
  }
  return scanner.end()
}

/** A large body from its JSON. */
export function largeBody(
  body: object,
  options: Partial<ScanOptions> = {},
  sizes: readonly number[] = [],
): RequestBody {
  return requestBody(scanned(Buffer.from(JSON.stringify(body)), sizes, options))
}

/** A canonical request whose long texts are kept as bytes. The members of `request` have the names of a chat body. */
export function largeRequest<T extends CanonicalRequest>(
  request: T,
  options: Partial<ScanOptions> = {},
  sizes: readonly number[] = [],
): T {
  const format = { toCanonicalInSteps: asItIs } as unknown as Format
  return atOnce(largeBody(request, options, sizes).translate(format, {} as never)) as T
}

// biome-ignore lint/correctness/useYield: the contract of a format
function* asItIs(body: JsonObject): Steps<CanonicalRequest> {
  return body as unknown as CanonicalRequest
}
