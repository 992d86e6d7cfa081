import { expect } from 'chai'
import type { ImagePart } from '../../../lib/plugin.ts'
import { isDataUrl, normaliseDataUrl } from '../../../plugins/images/data-url.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest } from '../../support/canonical.ts'
import { expectBounded } from '../../support/cost.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The URL in its usual spelling, or undefined where it is refused. */
function readDataUrl(url: string, part: ImagePart = { type: 'image', url }): string | undefined {
  return normaliseDataUrl(part) ? part.url : undefined
}

/** The same in a large body. */
function readInLarge(url: string): string | undefined {
  const { messages } = lazyRequest(chatRequest({ messages: [{ role: 'user', content: [{ type: 'image', url }] }] }))
  return readDataUrl(url, messages[0]!.content![0] as ImagePart)
}

describe('images: data URLs', () => {
  it('of the four types pass as they are', () => {
    for (const type of ['png', 'jpeg', 'gif', 'webp']) {
      const url = `data:image/${type};base64,${PNG}`
      expect(readDataUrl(url)).equal(url)
    }
    expect(readDataUrl(`DATA:image/PNG;BASE64,${PNG}`)).equal(`data:image/png;base64,${PNG}`)
  })

  it('with the common wrong type of JPEG get the right one', () => {
    expect(readDataUrl(`data:image/jpg;base64,${PNG}`)).equal(`data:image/jpeg;base64,${PNG}`)
  })

  it('of other types, or not in base64, are refused', () => {
    const refused = [
      'data:',
      'data:,x',
      'data:image/png,x',
      `data:text/html;base64,${PNG}`,
      `data:image/svg+xml;base64,${PNG}`,
    ]
    refused.push(`data:image/png;base32,${PNG}`, `data:image/png;base64;base64,${PNG}`, `data: image/png;base64,${PNG}`)
    refused.push(`data:image/bmp;base64,${PNG}`, `data:image/png;base64,`, `xdata:image/png;base64,${PNG}`)
    for (const url of refused) expect(readDataUrl(url), url).equal(undefined)
  })

  it('with other characters are refused, at the start as at the end', () => {
    const long = 'A'.repeat(100_000)
    for (const text of ['A B=', 'AA\n', '=AAA', 'AA==AA', 'A===', 'http://x', `@${long}`, `${long}@`, `${long}=A`]) {
      expect(readDataUrl(`data:image/png;base64,${text}`), text.slice(0, 9)).equal(undefined)
    }
    expect(readDataUrl(`data:image/png;base64,${long}==`)).include(long)
  })

  it('are checked in a large body as in a small one', () => {
    const long = 'A'.repeat(100_000)
    for (const read of [readDataUrl, readInLarge]) {
      expect(read(`data:image/jpg;base64,${long}`)).equal(`data:image/jpeg;base64,${long}`)
      expect(read(`DATA:image/png;base64,${long}`)).equal(`data:image/png;base64,${long}`)
      expect(read(`data:image/png;base64,${long}`)).equal(`data:image/png;base64,${long}`)
      for (const text of [`@${long}`, `${long}@`, `${long}=A`])
        expect(read(`data:image/png;base64,${text}`)).equal(undefined)
    }
  })

  it('are distinguished from other URLs by their scheme', () => {
    expect(isDataUrl({ type: 'image', url: 'DATA:x' })).equal(true)
    expect(isDataUrl({ type: 'image', url: 'https://example.com/data:' })).equal(false)
  })

  it('of many megabytes are not read as a whole', () => {
    const make = (size: number): ImagePart => ({ type: 'image', url: `data:image/png;base64,${'A'.repeat(size)}` })
    expect(normaliseDataUrl(make(40_000_000))).equal(true)
    expectBounded({ make, work: normaliseDataUrl }, 5_000_000)
  })
})
