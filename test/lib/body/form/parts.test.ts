import { expect } from 'chai'
import { fieldParts, fileHead, formEnd, newBoundary } from '../../../../lib/body/form/parts.ts'

describe('body/form/parts', () => {
  it('has boundaries that nobody can guess', () => {
    expect(newBoundary())
      .match(/^sluiceway-[0-9a-f]{32}$/)
      .not.equal(newBoundary())
  })

  it('has a part per value of a field', () => {
    expect(fieldParts('b', 'l[]', ['x', 1])).equal(
      '--b\r\nContent-Disposition: form-data; name="l[]"\r\n\r\nx\r\n' +
        '--b\r\nContent-Disposition: form-data; name="l[]"\r\n\r\n1\r\n',
    )
    expect(formEnd('b')).equal('--b--\r\n')
  })

  it('escapes names, and replaces media types that are none', () => {
    expect(fileHead('b', { name: 'file', filename: 'a"\r\nx: y.wav', mediaType: 'audio/wav\r\nx: y' })).equal(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a%22%0D%0Ax: y.wav"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
  })
})
