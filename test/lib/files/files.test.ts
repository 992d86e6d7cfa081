import { expect } from 'chai'
import { imageType, storedName } from '../../../lib/files/files.ts'

describe('image types', () => {
  it('are PNG, JPEG, GIF and WebP, by their first bytes', () => {
    const start = (hex: string) => imageType(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(20)]))
    expect(start('89504e470d0a1a0a')).equal('image/png')
    expect(start('ffd8ffe0')).equal('image/jpeg')
    expect(imageType(Buffer.from('GIF87a..........'))).equal('image/gif')
    expect(imageType(Buffer.from('GIF89a..........'))).equal('image/gif')
    expect(imageType(Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8 '))).equal('image/webp')
  })

  it('include no others', () => {
    for (const text of [
      '',
      'GIF88a',
      '<svg xmlns=',
      '<!DOCTYPE html>',
      '{"a":1}',
      'BM......',
      'RIFF....WAVE',
      '\x89PNG',
    ]) {
      expect(imageType(Buffer.from(text)), text).equal(undefined)
    }
  })
})

describe('the stored name of a file', () => {
  it('has no slashes and control characters, is bounded, and never empty', () => {
    expect(storedName('../a\\b\u0000c\n.png')).equal('..abc.png')
    expect(storedName('x'.repeat(300))).lengthOf(255)
    expect(storedName('/')).equal('upload')
  })
})
