import { expect } from 'chai'
import { newMark } from '../../../lib/body/detach.ts'
import { readDataUrl } from '../../../plugins/images/data-url.ts'
import { taken } from '../../support/bodies.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('images: data URLs', () => {
  it('of the four types pass as they are', () => {
    for (const type of ['png', 'jpeg', 'gif', 'webp']) {
      const url = `data:image/${type};base64,${PNG}`
      expect(readDataUrl(url)).equal(url)
    }
    expect(readDataUrl(`DATA:image/PNG;BASE64,${PNG}`)).equal(`data:image/png;base64,${PNG}`)
  })

  it('with the common wrong name of JPEG get the right one', () => {
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

  it('are read where the body parser left only the start', () => {
    const left = (input: string) => (taken({ input }, newMark()).value as { input: string }).input
    const url = left(`data:image/jpg;base64,${'A'.repeat(100_000)}`)
    expect(url).length.below(400)
    expect(readDataUrl(url)).equal(url.replace('image/jpg', 'image/jpeg'))
    expect(readDataUrl(left(`data:image/png;base64,@${'A'.repeat(100_000)}`))).equal(undefined)
  })

  it('of many megabytes are not read as a whole', () => {
    const url = `data:image/png;base64,${'A'.repeat(40_000_000)}`
    const started = performance.now()
    expect(readDataUrl(url)).equal(url)
    expect(performance.now() - started).lessThan(100)
  })
})
