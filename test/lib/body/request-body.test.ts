import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { type JsonObject, parseText } from '../../../lib/base/json.ts'
import { LongTexts } from '../../../lib/body/lazy-text.ts'
import {
  JsonBody,
  type OutgoingBody,
  outgoingJson,
  parseBody,
  parseEnvelope,
  type RequestBody,
  requestBody,
  scanBody,
} from '../../../lib/body/request-body.ts'
import type { ChatRequest, TextRequest } from '../../../lib/canonical/request.ts'
import { formatOf } from '../../../lib/formats/index.ts'
import { anyText } from '../../support/any-text.ts'
import { bodyOf, bytesOf, parsed } from '../../support/bodies.ts'
import { OPTIONS as DEFAULTS } from '../../support/encoders.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { refusalOf } from '../../support/refusal.ts'

const OPTIONS = { ...DEFAULTS, clamp_max_tokens: [] }

const LONG = 'x'.repeat(70_000)
/** Every kind of JSON escape, characters of every UTF-8 length, and a lone surrogate. */
const WILD = `"\\\n\u0001é€🎉\u2028\ufffd${LONG}"`

/** The body that a backend is sent. Like an encoder, it copies texts into new objects. */
async function sent(body: RequestBody, request: object): Promise<string> {
  const outgoing = body.outgoing(() => structuredClone(request) as JsonObject)
  const bytes = await bytesOf(outgoing.open())
  expect(bytes.length).equal(outgoing.length)
  return bytes.toString()
}

describe('body/request-body', () => {
  it('must be an object', () => {
    for (const text of ['[]', '"a"', '1', 'null', 'true'])
      expect(
        refusalOf(() => void requestBody(parsed(Buffer.from(text)))),
        text,
      ).include({ code: 'invalid_json_request', message: 'The body must be a JSON object.' })
  })

  it('is heavy if it has many values, not if it is long', () => {
    expect(bodyOf({ messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] }).isHeavy).equal(false)
    expect(bodyOf({ input: Array(30_000).fill(1) }).isHeavy).equal(true)
  })

  it('does not expand placeholders that a client wrote', () => {
    const { texts } = parsed(Buffer.from(JSON.stringify({ input: LONG })))
    const forged = `${texts!.token}:0\x7f`
    const body = { input: forged, instructions: LONG, prompt: `\x7f${'0'.repeat(32)}0\x7f` }
    expect(bodyOf(body).value).deep.equal(body)
  })

  it('is validated without decoding, and no schema reads more than the start of a text', () => {
    const body = bodyOf({ messages: [{ role: 'user', content: LONG }] })
    let seen = ''
    body.validate(value => {
      seen = String((value.messages as JsonObject[])[0]!.content)
    })
    expect(seen.length).below(400)
    expect(seen.startsWith('x'.repeat(256))).equal(true)
    expect((body.value.messages as JsonObject[])[0]!.content).equal(LONG)
    const folder = join(import.meta.dirname, '../../../schemas')
    const files = ['bodies', 'shared'].flatMap(name =>
      readdirSync(join(folder, name)).map(file => join(folder, name, file)),
    )
    const limits = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/"maxLength": (\d+)/g)])
    expect(limits.length).above(5)
    for (const [, limit] of limits) expect(Number(limit)).most(256)
  })

  describe('has for a plugin', () => {
    const BODY: JsonObject = {
      model: 'm',
      system: WILD,
      messages: [
        { role: 'user', content: WILD },
        {
          role: 'user',
          content: [
            { type: 'text', text: WILD },
            { type: 'image_url', image_url: { url: LONG } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { a: [WILD, { b: WILD }] } }] },
      ],
      prompt: [WILD, LONG, 'short'],
    }

    it('the values that it has assigned', () => {
      const { value } = bodyOf(BODY)
      const [message] = value.messages as JsonObject[]
      const prompt = value.prompt as string[]
      message!.content = 'new'
      prompt[0] = 'new'
      expect(message).deep.equal({ role: 'user', content: 'new' })
      expect(prompt).deep.equal(['new', LONG, 'short'])
    })

    it('an empty value after release()', () => {
      const body = bodyOf(BODY)
      body.release()
      expect(body.value).deep.equal({})
    })

    it('the same value as JSON.parse, for any body', () => {
      const text = anyText(30).map(each => each.toWellFormed())
      const part = fc.record({ type: fc.constant('text'), text })
      const input = fc.dictionary(
        fc.string({ maxLength: 4 }),
        fc.oneof(text, fc.array(text), fc.record({ input: text })),
      )
      const message = fc.record(
        {
          role: fc.constant('user'),
          content: fc.oneof(text, fc.array(fc.oneof(part, fc.record({ type: fc.constant('tool_use'), input })))),
          reasoning_content: text,
        },
        { requiredKeys: ['role'] },
      )
      const body = fc.record({ messages: fc.array(message), system: text, prompt: fc.array(text), x: fc.jsonValue() })
      fc.assert(
        fc.property(body, fc.nat({ max: 30 }), fc.nat({ max: 20 }), (body, shortest, startBytes) => {
          const json = JSON.stringify(body)
          const { value } = bodyOf(body, { shortest, startBytes })
          expect(value).deep.equal(parseText(json))
          expect(JSON.stringify(value)).equal(json)
        }),
        { numRuns: Number(process.env.RUNS ?? 300) },
      )
    })
  })

  describe('translated', () => {
    const CALL = { command: WILD, list: [WILD] }
    const BODIES = {
      chat: {
        model: 'm',
        messages: [
          { role: 'system', content: WILD },
          {
            role: 'user',
            content: [
              { type: 'text', text: WILD },
              { type: 'image_url', image_url: { url: LONG } },
            ],
          },
          {
            role: 'assistant',
            reasoning_content: WILD,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: WILD } }],
          },
          { role: 'tool', tool_call_id: 'c', content: WILD },
        ],
      },
      completions: { model: 'm', prompt: [WILD, 'short', LONG] },
      messages: {
        model: 'm',
        system: [
          { type: 'text', text: WILD },
          { type: 'text', text: LONG },
        ],
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: LONG } }],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: WILD },
              { type: 'tool_use', id: 'c', name: 'f', input: CALL },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'c', content: WILD, is_error: true },
              { type: 'text', text: WILD },
            ],
          },
        ],
      },
      responses: {
        model: 'm',
        instructions: WILD,
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: WILD }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: WILD },
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [
              { type: 'input_text', text: WILD },
              { type: 'input_text', text: LONG },
            ],
          },
        ],
      },
    } as const
    const names = ['chat', 'completions', 'messages', 'responses'] as const

    for (const name of names) {
      const format = formatOf(name)
      const whole = () => structuredClone(BODIES[name]) as unknown as JsonObject
      const ordinary = () => format.toCanonical(whole(), OPTIONS)

      it(`from ${name}, equals a request without lazy texts`, () => {
        const request = bodyOf(BODIES[name]).translate(format, OPTIONS)
        expect(request).deep.equal(ordinary())
        expect(JSON.stringify(request)).equal(JSON.stringify(ordinary()))
        expect(new JsonBody(whole()).translate(format, OPTIONS)).deep.equal(ordinary())
      })

      it(`from ${name}, is sent unchanged, read or not, any number of times`, async () => {
        const expected = JSON.stringify(ordinary())
        for (const reads of [false, true]) {
          const body = bodyOf(BODIES[name])
          if (reads) JSON.stringify(body.value)
          const request = body.translate(format, OPTIONS)
          body.release()
          if (reads) JSON.stringify(request)
          expect((await sent(body, request)) === expected, String(reads)).equal(true)
          expect((await sent(body, request)) === expected, String(reads)).equal(true)
        }
      })
    }

    it('is sent with the changes of plugins to the body or the canonical request', async () => {
      const body = bodyOf(BODIES.chat)
      const [, user] = body.value.messages as JsonObject[]
      ;((user!.content as JsonObject[])[0] as JsonObject).text = 'from the body'
      const request = body.translate(formatOf('chat'), OPTIONS) as ChatRequest
      request.messages[0]!.content = `${request.messages[0]!.content as string} and more`
      request.messages.push({ ...request.messages[3]! })
      const json = await sent(body, request)
      expect(json)
        .contain('"from the body"')
        .contain(JSON.stringify(`${WILD} and more`))
      expect((JSON.parse(json) as ChatRequest).messages[4]!.content).equal(WILD)

      const batch = bodyOf(BODIES.completions)
      const texts = batch.translate(formatOf('completions'), OPTIONS) as TextRequest
      ;(texts.prompt as string[])[0] = 'rewritten'
      expect(JSON.parse(await sent(batch, texts)))
        .property('prompt')
        .deep.equal(['rewritten', 'short', LONG])
    })

    it('keeps texts of different bodies apart', async () => {
      const [one, two] = ['x', 'y'].map(letter =>
        bodyOf({ model: 'm', messages: [{ role: 'user', content: letter.repeat(10_000) }] }),
      )
      const request = one!.translate(formatOf('chat'), OPTIONS) as ChatRequest
      const other = two!.translate(formatOf('chat'), OPTIONS) as ChatRequest
      request.messages.push(other.messages[0]!)
      const { messages } = JSON.parse(await sent(one!, request)) as ChatRequest
      expect(messages.map(({ content }) => content)).deep.equal(['x'.repeat(10_000), 'y'.repeat(10_000)])
    })
  })
})

/** A body with these long texts, and the JSON that it must have. */
function bodyWith(texts: readonly string[]) {
  const long = new LongTexts()
  const members = texts.map(text => `"é":"${long.add(Buffer.from(text))}"`)
  const expected = texts.map(text => `"é":"${text}"`)
  return { body: outgoingJson(`{${members.join()}}`, long), expected: `{${expected.join()}}` }
}

const textOf = async (body: OutgoingBody) => (await bytesOf(body.open())).toString()

describe('body/request-body: outgoing', () => {
  it('is one buffer if it is small', () => {
    const bytes = outgoingJson('{"a":"é"}').open()
    expect(bytes).deep.equal(Buffer.from('{"a":"é"}'))
  })

  it('has the length of its UTF-8', async () => {
    for (const [text, length] of [
      ['€'.repeat(4096), 3 * 4096],
      ['\u{1F600}'.repeat(600), 2400],
    ] as const) {
      expect(outgoingJson(text).length).equal(length)
      expect(await textOf(outgoingJson(text))).equal(text)
    }
  })

  it('contains its long texts byte for byte, in few pieces, any number of times', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => `${i}é`.repeat(i === 250 ? 20_000 : 300))
    const { body, expected } = bodyWith(texts)
    expect(body.length).equal(Buffer.byteLength(expected))
    for (let i = 0; i < 2; i++) expect((await textOf(body)) === expected).equal(true)
    expect([...(body.open() as Iterable<Buffer>)].length).below(25)
  })

  it('is one buffer if it is small and has long texts', async () => {
    const { body, expected } = bodyWith(['x'.repeat(1000), 'y'.repeat(1000)])
    expect(Buffer.isBuffer(body.open())).equal(true)
    expect(await textOf(body)).equal(expected)
  })

  it('does not keep pieces that have been sent', async () => {
    const source = (() => {
      const pieces = outgoingJson(JSON.stringify('x'.repeat(100_000))).open() as Iterable<Buffer>
      return pieces[Symbol.iterator]()
    })()
    const memory = (() => new WeakRef((source.next().value as Buffer).buffer))()
    expect(source.next()).deep.equal({ done: true, value: undefined })
    await new Promise(setImmediate)
    collectGarbage()
    expect(memory.deref()).equal(undefined)
  })
})

const parse = (bytes: Buffer, shortest?: number, startBytes?: number) =>
  parseBody(bytes, scanBody(bytes, shortest), startBytes)
const refused = (bytes: Buffer | string) => refusalOf(() => parse(Buffer.from(bytes)))

describe('body/request-body: parsing', () => {
  it('reads JSON in UTF-8', () => {
    expect(parse(Buffer.from('{"a":"é – 🎉","b":[1,null]}')).value).deep.equal({ a: 'é – 🎉', b: [1, null] })
    expect(parse(Buffer.from(' [1] ')).value).deep.equal([1])
  })

  it('refuses an empty body, other encodings and invalid JSON', () => {
    expect(refused('')).include({ code: 'invalid_json_request', message: 'The body is empty: send a JSON object.' })
    const notUtf8 = [
      Buffer.from('{"a":"é"}', 'latin1'),
      Buffer.from('{"a":1}', 'utf16le'),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    ]
    // ASCII in UTF-16 is valid UTF-8 with NUL characters.
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

  it('reads names with escapes, independent of earlier bodies', () => {
    const kept = parse(Buffer.from('{"parsed":0,"\\\\":0}')).value
    expect(parse(Buffer.from('{"parsed":0,"\\n":0}')).value).deep.equal({ parsed: 0, '\n': 0 })
    expect(kept).deep.equal({ parsed: 0, '\\': 0 })
  })

  it('does not quote the body', () => {
    expect(refused('{"messages": [secret]}').message).not.contain('secret')
  })

  it('keeps long texts as bytes, with their start and a placeholder in the value', () => {
    const long = `data:image/png;base64,${'A'.repeat(5000)}`
    const { value, texts, values } = parse(Buffer.from(JSON.stringify({ short: 'a', long, list: [long] })))
    expect(values).equal(5)
    const { short, long: template, list } = value as { short: string; long: string; list: string[] }
    expect(short).equal('a')
    expect(template.startsWith(long.slice(0, 256))).equal(true)
    expect(template.length).below(400)
    expect(texts!.partsOf(template).map(String).join('')).equal(long)
    expect(texts!.partsOf(list[0]!).map(String).join('')).equal(long)
  })

  it('splits a long text between characters and escapes', () => {
    for (const text of ['é'.repeat(20), '😀'.repeat(20), '\n'.repeat(20), '\u{1F600}'.repeat(20)])
      for (const json of [JSON.stringify(text), escapedJson(text)])
        for (let startBytes = 0; startBytes < 16; startBytes++) {
          const { value, texts } = parse(Buffer.from(json), 1, startBytes)
          const [start, bytes] = texts!.partsOf(value as string)
          expect(`${start}${JSON.parse(`"${bytes}"`)}`, `${json} ${startBytes}`).equal(text)
        }
  })

  it('returns a member of an envelope with its long texts and numbers as they are', () => {
    const body = `{"n":2512292042121000001,"text":"${'ü'.repeat(40_000)}\\n"}`
    const { value, bytesOf } = parseEnvelope(Buffer.from(`{"id":"a","body":${body}}`))
    const { id, body: part } = value as JsonObject
    expect([id, bytesOf(part!).toString()]).deep.equal(['a', body])
    expect(bytesOf({ short: 1 }).toString()).equal('{"short":1}')
  })

  it('refuses valid JSON that is nested too deeply', () => {
    expect(parse(Buffer.from('['.repeat(128) + ']'.repeat(128))).texts).equal(null)
    expect(refused('['.repeat(129) + ']'.repeat(129))).include({ code: 'schema_validation_failed', status: 422 })
    expect(refused('['.repeat(129))).include({ code: 'invalid_json_request' })
  })
})

const escapedJson = (text: string) =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
