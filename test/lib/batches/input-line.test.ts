import { expect } from 'chai'
import { customIdOf, readInputLine } from '../../../lib/batches/input-line.ts'

const line = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'm' } }
const read = (value: unknown) =>
  readInputLine(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), '/v1/chat/completions')

describe('a line of an input file', () => {
  it('has an id and a body', () => {
    expect(read(line)).deep.equal({ customId: 'a', body: Buffer.from('{"model":"m"}') })
    expect(read({ ...line, body: { model: 'm', stream: false } })).property('customId', 'a')
    expect(customIdOf(Buffer.from(JSON.stringify(line)))).equal('a')
    expect(customIdOf(Buffer.from('{'))).equal(null)
  })

  it('has the numbers and the long texts of the file in its body', () => {
    const body = `{"seed":2512292042121000001,"messages":[{"role":"user","content":"${'ü'.repeat(40_000)}"}]}`
    const text = `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${body}}`
    expect(read(text)).deep.equal({ customId: 'a', body: Buffer.from(body) })
  })

  it('is read without decoding its images', () => {
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`
    const content = [{ type: 'image_url', image_url: { url } }]
    const body = { messages: [{ role: 'user', content }] }
    const parse = JSON.parse
    let longest = 0
    JSON.parse = text => {
      longest = Math.max(longest, text.length)
      return parse(text)
    }
    try {
      expect(read({ ...line, body })).deep.equal({ customId: 'a', body: Buffer.from(JSON.stringify(body)) })
    } finally {
      JSON.parse = parse
    }
    expect(longest).within(100, 2000)
  })

  const wrong: readonly (readonly [string, unknown, string, string | null])[] = [
    ['is no JSON', '{', 'invalid_json_line', null],
    ['is deep', `{"body":${'['.repeat(200)}${']'.repeat(200)}}`, 'schema_validation_failed', 'body'],
    ['is no object', [1], 'invalid_json_line', null],
    ['has no id', { ...line, custom_id: undefined }, 'missing_custom_id', 'custom_id'],
    ['has a long id', { ...line, custom_id: 'a'.repeat(257) }, 'schema_validation_failed', 'custom_id'],
    ['has another url', { ...line, url: '/v1/completions' }, 'mismatched_url', 'url'],
    ['has another method', { ...line, method: 'GET' }, 'schema_validation_failed', 'method'],
    ['has no body', { ...line, body: 1 }, 'schema_validation_failed', 'body'],
    ['is streamed', { ...line, body: { stream: true } }, 'schema_validation_failed', 'body.stream'],
  ]
  for (const [what, value, code, param] of wrong)
    it(`is refused if it ${what}`, () => expect(read(value)).include({ code, param }))

  it('is refused if it is not UTF-8, as the body of a request is', () => {
    const bytes = Buffer.from(JSON.stringify({ ...line, body: { model: 'm?' } })).map(byte =>
      byte === 0x3f ? 0xff : byte,
    )
    expect(readInputLine(Buffer.from(bytes), '/v1/chat/completions')).include({
      code: 'invalid_json_line',
      param: null,
    })
  })
})
