import { expect } from 'chai'
import { FORMATS } from '../../../lib/schemas/formats.ts'

describe('formats', () => {
  it('are stricter with times and ids than ajv-formats', () => {
    expect(FORMATS['date-time']('2026-11-21T10:07:33Z')).equal(true)
    expect(FORMATS['date-time']('2026-02-30T10:07:33Z')).equal(false)
    expect(FORMATS.uuid('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(true)
    expect(FORMATS.uuid('urn:uuid:6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(false)
  })

  it('URIs are absolute and have no spaces', () => {
    for (const text of ['https://a.example/b?c=1#d', 'http://[::1]:8080']) expect(FORMATS.uri(text), text).equal(true)
    for (const text of ['', '/b', 'a.example', 'https://a.example/b c']) expect(FORMATS.uri(text), text).equal(false)
  })

  it('accept a line without control characters', () => {
    expect(FORMATS.line('For the night shift')).equal(true)
    for (const text of ['', '  ', 'two\nlines']) expect(FORMATS.line(text)).equal(false)
  })
})
