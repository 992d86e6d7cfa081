import { expect } from 'chai'
import fc from 'fast-check'
import { scanJson } from '../../../lib/body/json-scan.ts'
import { splitPoint } from '../../../lib/body/json-string.ts'
import { anyText } from '../../support/any-text.ts'
import { refusalOf } from '../../support/refusal.ts'

const scan = (json: string) => scanJson(Buffer.from(json))
const refused = (json: string) => refusalOf(() => void scan(json))

/** Raw and escaped characters of every kind that a JSON string may contain. */
const WILD = ['a', 'é', '€', '🎉', '\\"', '\\\\', '\\n', '\\/', '\\u00e9', '\\ud83c\\udf89', '\\ud800', '\\udf89', ' ']

describe('body/json-string', () => {
  it('finds the end of any string, at any alignment', () => {
    fc.assert(
      fc.property(fc.array(anyText(40)), fc.nat({ max: 5 }), (texts, offset) => {
        const json = JSON.stringify(texts)
        const bytes = Buffer.from(' '.repeat(offset) + json).subarray(offset)
        const found = scanJson(bytes, 0).texts.map(({ from, to }) => bytes.toString('utf8', from - 1, to + 1))
        expect(found).deep.equal(texts.map(text => JSON.stringify(text).replace(/\\ud[89a-f]../g, '\\ufffd')))
      }),
      { numRuns: Number(process.env.RUNS ?? 500) },
    )
  })

  it('replaces lone surrogates, in texts and names', () => {
    const texts: Record<string, string> = {
      '"cut \\ud83d"': '"cut \\ufffd"',
      '"\\uDF89\\ud83c\\udf89\\uD83C"': '"\\ufffd\\ud83c\\udf89\\ufffd"',
      '{"\\ud83d\\ud83d\\u0041":["\\\\ud83d","\\ud83d\\n"]}': '{"\\ufffd\\ufffd\\u0041":["\\\\ud83d","\\ufffd\\n"]}',
    }
    for (const [json, sound] of Object.entries(texts))
      for (let offset = 0; offset < 4; offset++) {
        const bytes = Buffer.from(' '.repeat(offset) + json).subarray(offset)
        scanJson(bytes)
        expect(bytes.toString()).equal(sound)
      }
  })

  it('refuses invalid strings', () => {
    const filler = 'x'.repeat(50)
    const notJson = { code: 'invalid_json_request', message: 'The body is not valid JSON.' }
    for (const fault of ['\n', '\u0000', '\t', '\u001f', '\\x', '\\u12g4', '\\U0041', '\\ ', '\\u123'])
      for (let before = 0; before < 5; before++)
        expect(refused(`["${filler.slice(before)}${fault}${filler}"]`), JSON.stringify(fault)).include(notJson)
    for (const end of ['', '\\', '\\u', '\\u00e', '\\"']) expect(refused(`["${filler}${end}`)).include(notJson)
    expect(scan(`["\u007f${filler}"]`).values).equal(2)
  })

  it('splits a text in front of a character or an escape', () => {
    for (const word of WILD)
      for (let before = 0; before < 14; before++) {
        const text = Buffer.from('a'.repeat(before) + word.repeat(400))
        for (let from = 0, count = 0; from < text.length; count = (count + 7) % 300) {
          const to = splitPoint(text, from, count + 1)
          expect(to, word).above(from)
          const part = JSON.parse(`"${text.subarray(from, to)}"`) as string
          if (word === '\\ud83c\\udf89' || word === '🎉') expect(part.isWellFormed(), part).equal(true)
          from = to
        }
        expect(splitPoint(text, 0, text.length)).equal(text.length)
      }
  })
})
