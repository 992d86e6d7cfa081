import { expect } from 'chai'
import { fieldParts, fileHead, formEnd, newBoundary } from '../../../../lib/body/form/parts.ts'

describe('body/form/parts', () => {
  it('writes each value of a field as a part', () => {
    expect(fieldParts('b', 'n', 0.5)).equal('--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n0.5\r\n')
    expect(fieldParts('b', 'l[]', ['x', 'y']).split('--b\r\n')).length(3)
  })

  it('lets no name and no media type end its header', () => {
    const head = fileHead('b', 'file', 'a"\r\nx: y.wav', 'audio/wav\r\nx: y')
    expect(head).equal(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a%22%0D%0Ax: y.wav"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
    expect(fileHead('b', 'file', '', 'audio/ogg; codecs=opus')).contain('Content-Type: audio/ogg; codecs=opus\r\n')
  })

  it('has another boundary each time', () => {
    expect(newBoundary())
      .match(/^sluiceway-[0-9a-f]{32}$/)
      .not.equal(newBoundary())
    expect(formEnd('b')).equal('--b--\r\n')
  })
})
