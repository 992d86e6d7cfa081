import { expect } from 'chai'
import fc from 'fast-check'
import { type JsonObject, parseText } from '../../../../lib/base/json.ts'
import { atOnce, type Steps } from '../../../../lib/base/steps.ts'
import { BufferPool } from '../../../../lib/body/buffer-pool.ts'
import { withoutDecoding } from '../../../../lib/body/large/held.ts'
import type { RequestBody } from '../../../../lib/body/request-body.ts'
import type { ChatRequest, TextRequest } from '../../../../lib/canonical/request.ts'
import { formatOf } from '../../../../lib/formats/index.ts'
import { anyText } from '../../../support/any-text.ts'
import { attached, largeBody, scanned } from '../../../support/bodies.ts'
import { OPTIONS as DEFAULTS } from '../../../support/encoders.ts'

const OPTIONS = { ...DEFAULTS, clamp_max_tokens: [] }

const LONG = 'x'.repeat(70_000)
/** Everything that JSON escapes, characters of every length in UTF-8, and a surrogate without its other half. */
const WILD = `"\\\n\u0001é€🎉\u2028\ud800${LONG}"`

/** What a backend reads that is sent the body just as it came. */
const carried = (body: JsonObject) => {
  const { value, large } = scanned(Buffer.from(JSON.stringify(body)))
  const { texts } = large!
  const left = JSON.stringify(value)
  return { left, count: texts.count, same: attached(left, texts) === JSON.stringify(body) }
}

describe('body/large/large-body', () => {
  it('are sent byte for byte as they came, wherever a conversation holds them', () => {
    const bodies: JsonObject[] = [
      { messages: [{ role: 'user', content: WILD }] },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: WILD },
              { type: 'text', text: LONG },
            ],
          },
        ],
      },
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: LONG } }] }] },
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', data: LONG } }] }] },
      { messages: [{ role: 'assistant', reasoning_content: WILD, tool_calls: [{ function: { arguments: WILD } }] }] },
      { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: WILD }] }] }] },
      { system: [{ type: 'text', text: WILD }], instructions: WILD },
      { input: WILD },
      {
        input: [
          { type: 'function_call_output', output: WILD },
          { type: 'function_call', arguments: WILD },
        ],
      },
      { prompt: WILD },
      { prompt: [WILD, LONG, 'short'] },
    ]
    for (const body of bodies) {
      const { count, same } = carried(body)
      expect(count, JSON.stringify(body).slice(0, 80)).least(1)
      expect(same, JSON.stringify(body).slice(0, 80)).equal(true)
    }
  })

  it('stay where rules look at them: schemas, names, ids, types', () => {
    const body: JsonObject = {
      model: LONG,
      stop: [LONG],
      regex: LONG,
      tools: [{ name: LONG, description: LONG, parameters: { $defs: { content: { text: LONG } } } }],
      response_format: { json_schema: { schema: { description: LONG } } },
      messages: [{ role: LONG, name: LONG, tool_call_id: LONG, tool_calls: [{ id: LONG, function: { name: LONG } }] }],
    }
    expect(carried(body)).deep.equal({ left: JSON.stringify(body), count: 0, same: true })
  })

  it('leave short texts, other values and strange names as they are', () => {
    const text =
      '{"messages":[{"content":"short","__proto__":{"text":"short","constructor":[1,null,true]}}],"input":null}'
    expect(carried(JSON.parse(text) as JsonObject)).deep.equal({ left: text, count: 0, same: true })
    const long = JSON.parse(`{"messages":[{"__proto__":{"text":"${LONG}"}}]}`) as JsonObject
    expect(carried(long)).include({ same: true, count: 1 })
    expect(({} as JsonObject).text).equal(undefined)
  })

  it('cannot be produced by a client', () => {
    const { value, large } = scanned(Buffer.from(JSON.stringify({ input: LONG })))
    expect(JSON.stringify(value)).contain(large!.texts.token)
    const forged = `\x7f${'0'.repeat(32)}0\x7f`
    expect(carried({ input: forged, instructions: LONG })).include({ same: true, count: 1 })
    const body = largeBody({ input: forged, instructions: LONG, prompt: large!.texts.placeholder(0) })
    expect(body.value).deep.equal({ input: forged, instructions: LONG, prompt: large!.texts.placeholder(0) })
  })

  describe('shows a plugin', () => {
    /** Long enough to be detached wherever texts are. */
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
        {
          __proto__: null,
          role: 'assistant',
          content: null,
          reasoning_content: WILD,
          tool_calls: [{ function: { arguments: WILD } }],
        },
      ],
      prompt: [WILD, LONG, 'short'],
    }

    it('every text as the client wrote it, by reading, spreading, cloning and stringifying', () => {
      const { value } = largeBody(BODY)
      expect(JSON.stringify(value)).equal(JSON.stringify(BODY))
      expect(value).deep.equal(JSON.parse(JSON.stringify(BODY)))
      expect(structuredClone(largeBody(BODY).value)).deep.equal(value)
      const [message] = largeBody(BODY).value.messages as JsonObject[]
      expect({ ...message }).deep.equal({ role: 'user', content: WILD })
      expect(Object.entries(message!)).deep.equal([
        ['role', 'user'],
        ['content', WILD],
      ])
      expect(Object.assign(Object.create(message!) as JsonObject).content).equal(WILD)
      expect(new Proxy(message!, {}).content).equal(WILD)
      expect([...(largeBody(BODY).value.prompt as string[])]).deep.equal([WILD, LONG, 'short'])
    })

    it('what it has written itself', () => {
      const { value } = largeBody(BODY)
      const [message] = value.messages as JsonObject[]
      const prompt = value.prompt as string[]
      message!.content = 'new'
      prompt[0] = 'new'
      value.system = [{ type: 'text', text: 'new' }]
      expect(message).deep.equal({ role: 'user', content: 'new' })
      expect(prompt).deep.equal(['new', LONG, 'short'])
      expect(value.system).deep.equal([{ type: 'text', text: 'new' }])
      delete message!.content
      expect(message).deep.equal({ role: 'user' })
      message!.content = 'again'
      expect(JSON.stringify(message)).equal('{"role":"user","content":"again"}')
    })

    it('nothing when it is released', () => {
      const body = largeBody(BODY)
      body.release()
      expect(body.value).deep.equal({})
    })

    it('names with escapes, whatever the process parsed before', () => {
      const kept = ['{"":0,"\\\\":0}', '{"\\\\":0}'].map(text => JSON.parse(text) as JsonObject)
      const input = { '"': ['first', 'second'], '\n': { input: 'third' }, é: 'fourth' }
      const body = { messages: [{ role: 'assistant', content: [{ type: 'tool_use', input }] }] }
      for (const sliceBytes of [1, 10, 20, 30, 1000])
        expect(largeBody(body, { sliceBytes }, [7]).value, String(sliceBytes)).deep.equal(body)
      expect(kept.map(object => Object.keys(object))).deep.equal([['', '\\'], ['\\']])
    })

    it('for any body in any pieces what JSON.parse does', () => {
      const text = anyText(30)
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
      const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 })
      const shortest = fc.integer({ min: 12, max: 30 })
      fc.assert(
        fc.property(
          body,
          sizes,
          shortest,
          fc.nat({ max: 9 }),
          fc.nat({ max: 99 }),
          fc.nat({ max: 20 }),
          (body, sizes, length, keep, sliceBytes, keptElsewhere) => {
            const least = keep === 0 ? 1 : keep + length
            const options = { shortest: { text: least, url: least, json: least }, keep, sliceBytes, keptElsewhere }
            const json = JSON.stringify(body)
            const { value } = largeBody(body, options, sizes)
            expect(value).deep.equal(parseText(json))
            // What was built in slices has a member named '' elsewhere.
            if (!json.includes('"":')) expect(JSON.stringify(value)).equal(json)
          },
        ),
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
    const pool = new BufferPool()

    /** What a backend is sent: the canonical request itself, which has all of its texts. */
    async function sent(body: RequestBody, request: object): Promise<string> {
      // An encoder copies texts into objects of its own.
      // biome-ignore lint/correctness/useYield: the contract of an encoder
      const encode = function* (): Steps<JsonObject> {
        return structuredClone(request) as JsonObject
      }
      const outgoing = await body.outgoing(encode, pool)
      const source = outgoing.open({ isFlushed: false })
      const chunks: Buffer[] = []
      for await (const piece of Buffer.isBuffer(source) ? [source] : source) chunks.push(piece)
      return Buffer.concat(chunks).toString()
    }

    for (const name of names) {
      const format = formatOf(name)
      const small = () => format.toCanonical(structuredClone(BODIES[name]) as unknown as JsonObject, OPTIONS)

      it(`from ${name}, shows what a small one does`, () => {
        const body = largeBody(BODIES[name])
        const request = atOnce(body.translate(format, OPTIONS))
        expect(request).deep.equal(small())
        expect(JSON.stringify(request)).equal(JSON.stringify(small()))
      })

      it(`from ${name}, is sent as it came, whether it was read or not, and again`, async () => {
        const expected = JSON.stringify(small())
        for (const reads of [false, true]) {
          const body = largeBody(BODIES[name])
          if (reads) JSON.stringify(body.value)
          const request = atOnce(body.translate(format, OPTIONS))
          body.release()
          if (reads) JSON.stringify(request)
          expect(await sent(body, request), String(reads)).equal(expected)
          expect(await sent(body, request), String(reads)).equal(expected)
        }
      })
    }

    it('is sent as a plugin has changed it, on the body or on the canonical request', async () => {
      const body = largeBody(BODIES.chat)
      const [, user] = body.value.messages as JsonObject[]
      ;((user!.content as JsonObject[])[0] as JsonObject).text = 'from the body'
      const request = atOnce(body.translate(formatOf('chat'), OPTIONS)) as ChatRequest
      request.messages[0]!.content = `${request.messages[0]!.content as string} and more`
      request.messages.push({ ...request.messages[3]! })
      const json = await sent(body, request)
      expect(json)
        .contain('"from the body"')
        .contain(JSON.stringify(`${WILD} and more`))
      expect((JSON.parse(json) as ChatRequest).messages[4]!.content).equal(WILD)

      const batch = largeBody(BODIES.completions)
      const texts = atOnce(batch.translate(formatOf('completions'), OPTIONS)) as TextRequest
      ;(texts.prompt as string[])[0] = 'rewritten'
      expect(JSON.parse(await sent(batch, texts)))
        .property('prompt')
        .deep.equal(['rewritten', 'short', LONG])
    })

    it('keeps the texts of other bodies apart', async () => {
      const [one, two] = ['x', 'y'].map(letter =>
        largeBody({ model: 'm', messages: [{ role: 'user', content: letter.repeat(1000) }] }),
      )
      const request = atOnce(one!.translate(formatOf('chat'), OPTIONS)) as ChatRequest
      const other = atOnce(two!.translate(formatOf('chat'), OPTIONS)) as ChatRequest
      request.messages.push(other.messages[0]!)
      const { messages } = JSON.parse(await sent(one!, request)) as ChatRequest
      expect(messages.map(({ content }) => content)).deep.equal(['x'.repeat(1000), 'y'.repeat(1000)])
    })

    it('shows a plugin very long texts of tools and schemas, and is sent with them as they came', async () => {
      const description = WILD.repeat(20)
      const property = { type: 'string', enum: [description, 'b'], description }
      const tool = {
        type: 'function',
        function: { name: 'f', description, parameters: { type: 'object', properties: { a: property } } },
      }
      const json_schema = { name: 'n', schema: { type: 'object', properties: { b: property } } }
      const plain = {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        tools: [tool],
        response_format: { type: 'json_schema', json_schema },
        user: description,
      }
      const canonical = () => formatOf('chat').toCanonical(structuredClone(plain) as JsonObject, OPTIONS)
      const expected = JSON.stringify(canonical())
      for (const reads of [false, true]) {
        const body = largeBody(plain, {}, [65_536])
        const request = atOnce(body.translate(formatOf('chat'), OPTIONS)) as ChatRequest
        expect(JSON.stringify(withoutDecoding(() => structuredClone(request.tools))).length).below(description.length)
        if (reads) {
          expect(body.value).deep.equal(plain)
          expect(request.tools[0]!.description).equal(description)
        }
        expect(await sent(body, request)).equal(expected)
        expect(request).deep.equal(canonical())
      }
    })

    it('is validated without being read', () => {
      const body = largeBody({ messages: [{ role: 'user', content: LONG }] })
      let seen = ''
      body.validate(value => {
        seen = String((value.messages as JsonObject[])[0]!.content)
      })
      expect(seen.length).below(300)
      expect(seen.startsWith('x'.repeat(128))).equal(true)
      expect((body.value.messages as JsonObject[])[0]!.content).equal(LONG)
    })
  })
})
