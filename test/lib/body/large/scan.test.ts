import { expect } from 'chai'
import fc from 'fast-check'
import { type Json, parseText } from '../../../../lib/base/json.ts'
import { LONGEST_NAME } from '../../../../lib/body/json-limits.ts'
import { SHORTEST } from '../../../../lib/body/large/position.ts'
import { BodyScanner } from '../../../../lib/body/large/scan.ts'
import type { DetachedTexts } from '../../../../lib/body/large/texts.ts'
import type { ReadBody } from '../../../../lib/body/request-body.ts'
import { attached, scanned, textsOf } from '../../../support/bodies.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** Bytes of a text that stay in front of its placeholder. */
const KEPT = 128

interface Scanned {
  readonly read: ReadBody
  readonly left: string
  readonly detached: DetachedTexts
}

/** Feeds the bytes in pieces of these sizes, over and over. */
function scan(bytes: Buffer, sizes: readonly number[] = [bytes.length || 1]): Scanned {
  const read = scanned(bytes, sizes, { sliceBytes: 100, keptElsewhere: 50 })
  return { left: JSON.stringify(read.value), detached: read.large!.texts, read }
}

const written = ({ left, detached }: Pick<Scanned, 'left' | 'detached'>) => parseText(attached(left, detached))

/** undefined: refused. */
function attempt(read: () => Json): { readonly value: Json } | undefined {
  try {
    return { value: read() }
  } catch {
    return undefined
  }
}

const content = (text: string) => Buffer.from(`{"model":"m","messages":[{"role":"user","content":"${text}"}]}`)

/** Raw and escaped characters of every kind, as they may stand in a JSON string. */
const WILD = ['a', 'é', '€', '🎉', '\\"', '\\\\', '\\n', '\\/', '\\u00e9', '\\ud83c\\udf89', '\\ud800', '\\udf89', ' ']

/** Long enough to be detached in the input of a tool call. */
const WILD_TEXT = `"\\\n\u0001é€🎉\u2028${'x'.repeat(SHORTEST.json)}"\\`

const wildText = fc
  .array(fc.constantFrom(...WILD), { minLength: 1, maxLength: 40 })
  .chain(words => fc.nat({ max: 4000 }).map(length => words.join('').repeat(1 + Math.floor(length / words.length))))

describe('body/large/scan', () => {
  it('detaches what is long, and leaves what is short or no text', () => {
    const long = 'x'.repeat(SHORTEST.text)
    const { left, detached } = scan(
      Buffer.from(
        `{"model":"${long}","messages":[{"role":"${long}","content":"${long}"},{"role":"user","content":"${long.slice(1)}"},` +
          `{"content":[{"type":"text","text":"${long}"}]}],"tools":[{"description":"${long}"}]}`,
      ),
    )
    expect(left.split(detached.token)).length(3)
    expect(textsOf(detached)).deep.equal([long.slice(KEPT), long.slice(KEPT)])
  })

  it('changes nothing of any text, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        fc.array(wildText, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
        (texts, sizes) => {
          const items = texts.map((text, i) => `{"role":"user", "n":[${i},null] ,"content":"${text}"}`)
          const bytes = Buffer.from(
            `{ "messages":[${items.join(' , ')}],"stop":["]}\\\\","\\""],"x":{"content":"\\u007b"} }`,
          )
          const whole = scan(bytes)
          expect(written(whole)).deep.equal(parseText(bytes.toString()))
          const pieces = scan(bytes, sizes)
          expect(pieces.left.replaceAll(pieces.detached.token, '')).equal(
            whole.left.replaceAll(whole.detached.token, ''),
          )
          expect(textsOf(pieces.detached)).deep.equal(textsOf(whole.detached))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('takes a body byte by byte, without a part for each', () => {
    const bytes = content(WILD.join('').repeat(200))
    const whole = scan(bytes, [1])
    expect(written(whole)).deep.equal(parseText(bytes.toString()))
    expect(whole.detached.slices).below(bytes.length / 500)
  })

  it('cuts no escape and no character in two', () => {
    for (const word of ['\\n', '\\u00e9', '\\ud83c\\udf89', '🎉', '€', '\\udf89', '\\ud83c']) {
      for (let before = 0; before < 14; before++) {
        const bytes = content('a'.repeat(before) + word.repeat(SHORTEST.text))
        const { left, detached } = scan(bytes)
        expect(detached.count).equal(1)
        expect(written({ left, detached })).deep.equal(parseText(bytes.toString()))
        const kept = (JSON.parse(left) as { messages: [{ content: string }] }).messages[0].content.split(
          detached.token,
        )[0]!
        if (word === '\\ud83c\\udf89' || word === '🎉') expect(kept.isWellFormed()).equal(true)
      }
    }
  })

  it('escapes once more what stands in the input of a tool call, which becomes text itself', () => {
    const input = { query: WILD_TEXT, list: [WILD_TEXT, { input: { deep: WILD_TEXT } }], short: 'a"b' }
    const bytes = Buffer.from(JSON.stringify({ messages: [{ content: [{ type: 'tool_use', input }] }] }))
    for (const sizes of [undefined, [1000, 3, 70_001]]) {
      const { read, detached } = scan(bytes, sizes)
      expect(detached.count).equal(3)
      const [message] = (read.value as { messages: [{ content: [{ input: Json }] }] }).messages
      const call = JSON.stringify({ arguments: JSON.stringify(message.content[0].input) })
      expect(attached(call, detached) === JSON.stringify({ arguments: JSON.stringify(input) })).equal(true)
    }
  })

  it('detaches nothing where it is not to', () => {
    const scanner = new BodyScanner({ detaches: false })
    const bytes = content('x'.repeat(5000))
    scanner.feed(bytes)
    const { value, large } = scanner.end()
    expect(value).deep.equal(parseText(bytes.toString()))
    expect(large!.texts.count).equal(0)
  })

  it('refuses in a long text what JSON does not allow', () => {
    const filler = 'x'.repeat(2000)
    for (const fault of ['\n', '\u0000', '\t', '\\x', '\\u12g4', '\\U0041', '\\ '])
      for (const sizes of [undefined, [1], [7]])
        expect(
          refusalOf(() => scan(content(filler + fault + filler), sizes)),
          JSON.stringify(fault),
        ).include({
          code: 'invalid_json_request',
          message: 'The body is not valid JSON.',
        })
  })

  it('refuses bytes that are no UTF-8', () => {
    const filler = Buffer.from('x'.repeat(2000))
    for (const fault of [[0xff], [0xc3], [0xed, 0xa0, 0x80]]) {
      const bytes = Buffer.concat([Buffer.from('{"prompt":"'), filler, Buffer.from(fault), filler, Buffer.from('"}')])
      for (const sizes of [undefined, [1], [7]])
        expect(refusalOf(() => scan(bytes, sizes))).include({ code: 'invalid_json_request' })
    }
    expect(refusalOf(() => scan(Buffer.concat([content(filler.toString()), Buffer.of(0xc3)])))).include({
      code: 'invalid_json_request',
    })
  })

  it('takes, together with the parser, what JSON.parse takes, and nothing else', () => {
    const text = `${WILD.join('')}${'x'.repeat(1100)}`
    const body = `{"a":[1,{"b":null}],"messages":[{"role":"user","content":"${text}"},{"content":[{"text":"${text}"},{}]}],"n":1,"tools":[{"d":"${text}"}]}`
    const edit = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 3 }),
      by: fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\n',
        '\u0000',
        'u',
        '\\u12',
        '",""',
        '"},{"',
        '\ufeff',
        'é',
      ),
    })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 2000 }), (edits, size) => {
        let edited = body
        for (const { at, length, by } of edits) {
          const from = at % edited.length
          edited = edited.slice(0, from) + by + edited.slice(from + length)
        }
        const bytes = Buffer.from(edited)
        const expected = attempt(() => parseText(bytes.toString()))
        const own = attempt(() => written(scan(bytes, [size])))
        expect(own, edited).deep.equal(expected)
      }),
      { numRuns: Number(process.env.RUNS ?? 1500) },
    )
  })

  it('detaches what is very long anywhere, but no name and no input of a tool call', () => {
    for (const word of WILD) {
      const text = word.repeat(3000)
      const members = `"tools":[{"d":"${text}","enum":["${text}"]}],"user":"${text}"`
      const kept = `"${text}":1,"messages":[{"content":[{"input":"${text}"}]}]`
      for (const size of [1, 2, 7, 64, 1000]) {
        const bytes = Buffer.from(`{${members},${kept}}`)
        const { left, detached, read } = scan(bytes, [size])
        expect(written({ left, detached })).deep.equal(parseText(bytes.toString()))
        // In pieces of single escapes, the second half of a pair never begins a text.
        if (word === '\\udf89' && size < 64) continue
        expect(detached.count, word).equal(3)
        expect(detached.isElsewhere).equal(true)
        expect((read.value as { user: string }).user.length).below(3000)
      }
    }
  })

  it('refuses a name of megabytes, which would be parsed at once', () => {
    const bytes = Buffer.from(`{"${'n'.repeat(LONGEST_NAME + 10)}":1}`)
    expect(refusalOf(() => scan(bytes, [65_536]))).include({ code: 'schema_validation_failed' })
  })

  it('leaves it to the parser to find that a body is cut off', () => {
    const bytes = content(`${'x'.repeat(2000)}\\u00e9`)
    for (let end = 0; end < bytes.length; end++) {
      expect(() => scan(bytes.subarray(0, end), [500]), String(end)).throw()
    }
  })

  it('does not wait for the end of a name, however long', () => {
    const name = 'n'.repeat(5000)
    for (const sizes of [undefined, [1], [33]]) {
      const bytes = Buffer.from(`{"${name}":1,"prompt":"${'x'.repeat(3000)}","content\\"":2}`)
      expect(written(scan(bytes, sizes))).deep.equal(parseText(bytes.toString()))
    }
  })
})
