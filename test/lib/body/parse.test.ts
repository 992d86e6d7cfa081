import { expect } from 'chai'
import { MAX_DEPTH, parse, parseBody, WORKER_ABOVE_BYTES } from '../../../lib/body/parse.ts'
import type { RawBody } from '../../../lib/body/raw.ts'
import { BodyWorker } from '../../../lib/body/worker-client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { rawBody } from '../../support/bodies.ts'
import { refusalOf } from '../../support/refusal.ts'

const worker = new BodyWorker()

function exchange() {
  return { body: {}, bodyBytes: 0, detached: null, signal: new AbortController().signal } as unknown as Exchange
}

const refused = (bytes: Buffer | string) => refusalOf(() => parse(Buffer.from(bytes)))
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

/** What parseBody() does with a text, whichever thread it takes. */
async function refusedBody(text: string) {
  let thrown: unknown
  try {
    await parseBody(exchange(), rawBody(text), worker)
  } catch (error) {
    thrown = error
  }
  return refusalOf(() => {
    if (thrown !== undefined) throw thrown
  })
}

/** The same JSON object, large enough for the thread. */
const large = (text: string) => text + ' '.repeat(WORKER_ABOVE_BYTES)

describe('body/parse', () => {
  after(() => worker.close())

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

  it('fills the exchange at once where the body is small', () => {
    const one = exchange()
    const bytes = Buffer.from('{"model":"m"}')
    expect(parseBody(one, rawBody(bytes), worker)).equal(undefined)
    expect(one).deep.include({ body: { model: 'm' }, bodyBytes: bytes.length, detached: null })
  })

  it('fills it from another thread where the body is large', async () => {
    const one = exchange()
    const text = 'x'.repeat(WORKER_ABOVE_BYTES)
    const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }))
    const size = bytes.length
    await parseBody(one, rawBody(bytes), worker)
    expect(one.body.model).equal('m')
    expect(one.bodyBytes).equal(size)
    expect(one.detached?.count).equal(1)
  })

  describe('lists that are apart', () => {
    const apart = (rest: string, ...lists: readonly (readonly [name: string, ...slices: string[]])[]): RawBody => ({
      ...rawBody(rest),
      lists: lists.map(([name, ...slices]) => ({
        name,
        at: rest.indexOf('[]') + 1,
        slices: slices.map(slice => Buffer.from(slice)),
      })),
    })
    const parsed = async (raw: RawBody) => {
      const one = exchange()
      await parseBody(one, raw, worker)
      return one.body
    }

    it('are put where they belong, at once or slice by slice', async () => {
      expect(await parsed(apart('{"a":1,"messages":[]}', ['messages', '[1,2]']))).deep.equal({ a: 1, messages: [1, 2] })
      expect(await parsed(apart('{"messages":[]}', ['messages', '[1,2]', '[3]', '[4]']))).deep.equal({
        messages: [1, 2, 3, 4],
      })
      expect(await parsed(apart('{"input":[]}', ['input', '[]']))).deep.equal({ input: [] })
    })

    it('that come twice are the last one, as everywhere', async () => {
      const twice = '{"messages":[],"messages":[]}'
      expect(await parsed(apart(twice, ['messages', '[1]'], ['messages', '[2]']))).deep.equal({ messages: [2] })
      expect(await parsed(apart('{"messages":[],"messages":null}', ['messages', '[1]']))).deep.equal({ messages: null })
    })

    it('must be JSON, also where they were cut', async () => {
      for (const slices of [['[1,]'], ['[1]', '[]'], ['[1]', '[,2]'], ['[1']]) {
        const thrown = await parsed(apart('{"messages":[]}', ['messages', ...slices])).catch((error: unknown) => error)
        expect(thrown, slices.join()).include({ code: 'invalid_json_request' })
      }
    })

    it('go to the thread with the rest where one slice is large', async () => {
      const item = `[${'1,'.repeat(WORKER_ABOVE_BYTES / 2)}2]`
      const one = exchange()
      await parseBody(one, apart('{"a":1,"messages":[],"b":2}', ['messages', '[1]', `[${item},3]`]), worker)
      expect(one.body).deep.equal({ a: 1, messages: [1, JSON.parse(item), 3], b: 2 })
    })
  })

  for (const [size, of] of [
    ['small', (text: string) => text],
    ['large', large],
  ] as const) {
    describe(`a ${size} body`, () => {
      it('is an object', async () => {
        for (const text of ['[]', '"a"', '1', 'null', 'true'])
          expect(await refusedBody(of(text)), text).include({
            code: 'invalid_json_request',
            message: 'The body must be a JSON object.',
          })
      })

      it('nests no deeper than is good', async () => {
        expect(await refusedBody(of(nested(MAX_DEPTH + 1)))).include({
          code: 'schema_validation_failed',
          status: 422,
          message: 'The body nests arrays and objects more than 128 levels deep.',
        })
        const one = exchange()
        await parseBody(one, rawBody(of(nested(MAX_DEPTH))), worker)
        expect(one.body).have.property('a')
      })

      it('is JSON', async () => {
        expect(await refusedBody(of('{"a":'))).include({ code: 'invalid_json_request' })
      })
    })
  }
})
