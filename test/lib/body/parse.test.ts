import { expect } from 'chai'
import { LazyText, LongTexts, parseBody, scanBody } from '../../../lib/body/parse.ts'
import { refusalOf } from '../../support/refusal.ts'

/** A text whose bytes are between `before` and `after`. */
function lazy(text: string, before = '', after = ''): LazyText {
  const texts = new LongTexts()
  return new LazyText(texts, before + texts.add(Buffer.from(JSON.stringify(text).slice(1, -1))) + after)
}

const WILD = `"\\\n\u0001é€🎉\u2028\ud800${'x'.repeat(100_000)}"`

describe('body/long-texts', () => {
  it('replaces its texts in any string, in their order', () => {
    const texts = new LongTexts()
    const [a, b] = [texts.add(Buffer.from('A')), texts.add(Buffer.from('B'))]
    expect(texts.partsOf(`1${b}2${a}${a}`).map(String)).deep.equal(['1', 'B', '2', 'A', '', 'A', ''])
    expect(texts.partsOf('none')).deep.equal(['none'])
    expect([texts.isIn(a), texts.isIn(`x${a}x`), texts.isIn('x'), texts.count]).deep.equal([true, true, false, 2])
  })

  it('takes nothing for a placeholder that a client may have written', () => {
    const [own, other] = [new LongTexts(), new LongTexts()]
    own.add(Buffer.from('A'))
    const forged = other.add(Buffer.from('B'))
    expect(own.isIn(forged)).equal(false)
    expect(own.partsOf(forged)).deep.equal([forged])
  })

  it('decodes a text once, as a whole or in pieces', () => {
    const text = lazy(WILD, 'before ', ' after')
    const whole = `before ${WILD} after`
    const pieces = [...text.pieces()]
    expect(pieces.join('') === whole).equal(true)
    expect(pieces.length).above(3)
    expect(text.text === whole).equal(true)
    expect([...text.pieces()]).deep.equal([whole])
  })

  it('tells how large a text is, before and after it was decoded', () => {
    const text = lazy('\n'.repeat(1000), 'é')
    expect(text.byteLength).equal(2002)
    expect(text.text.length).equal(1001)
    expect(text.byteLength).equal(1002)
  })

  it('samples a text everywhere, without half characters', () => {
    const sample = lazy('a'.repeat(10_000) + '日'.repeat(10_000)).sample(8, 16)
    expect(sample).match(/^a+日+$/)
    expect(Buffer.byteLength(sample)).within(100, 128)
    expect(lazy('short').sample(8, 16)).equal('short')
  })
})

const parse = (bytes: Buffer, shortest?: number, startBytes?: number) =>
  parseBody(bytes, scanBody(bytes, shortest), startBytes)
const refused = (bytes: Buffer | string) => refusalOf(() => parse(Buffer.from(bytes)))

describe('body/parse', () => {
  it('reads JSON in UTF-8', () => {
    expect(parse(Buffer.from('{"a":"é – 🎉","b":[1,null]}')).value).deep.equal({ a: 'é – 🎉', b: [1, null] })
    expect(parse(Buffer.from(' [1] ')).value).deep.equal([1])
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
    const kept = parse(Buffer.from('{"parsed":0,"\\\\":0}')).value
    expect(parse(Buffer.from('{"parsed":0,"\\n":0}')).value).deep.equal({ parsed: 0, '\n': 0 })
    expect(kept).deep.equal({ parsed: 0, '\\': 0 })
  })

  it('quotes nothing of the body', () => {
    expect(refused('{"messages": [secret]}').message).not.contain('secret')
  })

  it('keeps long texts as bytes, with their start and a placeholder in the value', () => {
    const long = `data:image/png;base64,${'A'.repeat(5000)}`
    const { value, texts, values } = parse(Buffer.from(JSON.stringify({ short: 'a', long, list: [long] })))
    expect([texts.count, values]).deep.equal([2, 5])
    const { short, long: template, list } = value as { short: string; long: string; list: string[] }
    expect(short).equal('a')
    expect(template.startsWith(long.slice(0, 256))).equal(true)
    expect(template.length).below(400)
    expect(texts.partsOf(template).map(String).join('')).equal(long)
    expect(texts.partsOf(list[0]!).map(String).join('')).equal(long)
  })

  it('cuts a long text in front of a character or escape', () => {
    for (const text of ['é'.repeat(20), '😀'.repeat(20), '\n'.repeat(20), '\u{1F600}'.repeat(20)])
      for (const json of [JSON.stringify(text), escapedJson(text)])
        for (let startBytes = 0; startBytes < 16; startBytes++) {
          const { value, texts } = parse(Buffer.from(json), 1, startBytes)
          const [start, bytes] = texts.partsOf(value as string)
          expect(`${start}${JSON.parse(`"${bytes}"`)}`, `${json} ${startBytes}`).equal(text)
        }
  })

  it('refuses what is nested too deep, once it is known to be JSON', () => {
    expect(parse(Buffer.from('['.repeat(128) + ']'.repeat(128))).texts.count).equal(0)
    expect(refused('['.repeat(129) + ']'.repeat(129))).include({ code: 'schema_validation_failed', status: 422 })
    expect(refused('['.repeat(129))).include({ code: 'invalid_json_request' })
  })
})

const escapedJson = (text: string) =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
