import { expect } from 'chai'
import { parse } from '../../../lib/body/parse.ts'
import { refusalOf } from '../../support/refusal.ts'

const refused = (bytes: Buffer | string) => refusalOf(() => parse(Buffer.from(bytes)))

describe('body/parse', () => {
  it('reads JSON in UTF-8', () => {
    expect(parse(Buffer.from('{"a":"é – 🎉","b":[1,null]}'))).deep.equal({ a: 'é – 🎉', b: [1, null] })
    expect(parse(Buffer.from(' [1] '))).deep.equal([1])
  })

  it('refuses an empty body, other encodings and what is no JSON', () => {
    expect(refused('')).include({ code: 'invalid_json_request', message: 'The body is empty: send a JSON object.' })
    const notUtf8 = [
      Buffer.from('{"a":"é"}', 'latin1'),
      Buffer.from('{"a":1}', 'utf16le'),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    ]
    // UTF-16 of ASCII is valid UTF-8 with zeros in it.
    for (const bytes of notUtf8) expect(refused(bytes)).include({ code: 'invalid_json_request', status: 400 })
    for (const text of [
      '{',
      "{'a':1}",
      '{"a":1,}',
      'undefined',
      '{"a":NaN}',
      '{"a":1} x',
      '\ufeff{"a":1}',
      '{"a":"\n"}',
    ])
      expect(refused(text)).include({ code: 'invalid_json_request', message: 'The body is not valid JSON.' })
  })

  it('reads names with escapes, whatever the process parsed before', () => {
    const kept = parse(Buffer.from('{"parsed":0,"\\\\":0}'))
    expect(parse(Buffer.from('{"parsed":0,"\\n":0}'))).deep.equal({ parsed: 0, '\n': 0 })
    expect(kept).deep.equal({ parsed: 0, '\\': 0 })
  })

  it('quotes nothing of the body', () => {
    expect(refused('{"messages": [secret]}').message).not.contain('secret')
  })
})
