import { expect } from 'chai'
import { newMark } from '../../../lib/body/detach.ts'
import { Intake, SCAN_ABOVE_BYTES } from '../../../lib/body/intake.ts'
import { fillBody, MAX_DEPTH, parse } from '../../../lib/body/parse.ts'
import type { Exchange } from '../../../lib/core/exchange.ts'
import { refusalOf } from '../../support/refusal.ts'

function exchange() {
  return { body: {}, bodyBytes: 0, detached: null } as unknown as Exchange
}

const refused = (bytes: Buffer | string) => refusalOf(() => parse(Buffer.from(bytes)))
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

/** What becomes of an exchange that is sent this. */
function filled(text: string) {
  const one = exchange()
  const intake = new Intake(newMark(), true)
  intake.add(Buffer.from(text))
  const load = fillBody(one, intake.end())
  return { one, load }
}

/** The same JSON, too large to be read in one piece. */
const large = (text: string) => text + ' '.repeat(SCAN_ABOVE_BYTES)

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

  it('quotes nothing of the body', () => {
    expect(refused('{"messages": [secret]}').message).not.contain('secret')
  })

  it('fills the exchange', () => {
    const { one, load } = filled('{"model":"m"}')
    expect(one).deep.equal({ body: { model: 'm' }, bodyBytes: 13, detached: null })
    expect(load).equal('light')
  })

  it('says what travels beside a large body, and whether that weighs heavily', () => {
    const text = 'x'.repeat(SCAN_ABOVE_BYTES)
    const { one, load } = filled(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }))
    expect(one.body.model).equal('m')
    expect(one.detached?.count).equal(1)
    expect(load).equal('light')
    expect(filled(large(JSON.stringify({ input: Array(30_000).fill(1) }))).load).equal('heavy')
  })

  for (const [size, of] of [
    ['small', (text: string) => text],
    ['large', large],
  ] as const) {
    describe(`a ${size} body`, () => {
      it('is an object', () => {
        for (const text of ['[]', '"a"', '1', 'null', 'true'])
          expect(
            refusalOf(() => filled(of(text))),
            text,
          ).include({ code: 'invalid_json_request', message: 'The body must be a JSON object.' })
      })

      it('nests no deeper than is good', () => {
        expect(refusalOf(() => filled(of(nested(MAX_DEPTH + 1))))).include({
          code: 'schema_validation_failed',
          status: 422,
          message: 'The body nests arrays and objects more than 128 levels deep.',
        })
        expect(filled(of(nested(MAX_DEPTH))).one.body).have.property('a')
      })

      it('is JSON', () => {
        expect(refusalOf(() => filled(of('{"a":')))).include({ code: 'invalid_json_request' })
      })
    })
  }
})
