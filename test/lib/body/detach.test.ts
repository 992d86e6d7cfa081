import { expect } from 'chai'
import fc from 'fast-check'
import { DETACH_FROM_LENGTH, type Detached, detach, MARK_START, newMark } from '../../../lib/body/detach.ts'
import type { Json, JsonObject } from '../../../lib/json.ts'
import { attached, detachedTexts } from '../../support/bodies.ts'

const mark = newMark()
const LONG = 'x'.repeat(DETACH_FROM_LENGTH)
/** Everything that JSON escapes, characters of every length in UTF-8, and a surrogate without its other half. */
const WILD = `"\\\n\u0001é€🎉\u2028\ud800${LONG}"`

const written = (body: Json, texts: Detached['texts']) =>
  attached(JSON.stringify(body), mark, detachedTexts(texts.map(text => [text])))

/** What a backend reads that was sent the body just as it came. */
const carried = (body: JsonObject, keepStart = 256) => {
  const original = structuredClone(body)
  const { body: rest, texts: detached } = detach(body, mark, keepStart)
  return { rest, detached, same: written(rest, detached) === JSON.stringify(original) }
}

describe('texts beside a large body', () => {
  it('are put back byte by byte, wherever a conversation holds them', () => {
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
      const { detached, same } = carried(body)
      expect(detached.length, JSON.stringify(body).slice(0, 80)).least(1)
      expect(same, JSON.stringify(body).slice(0, 80)).equal(true)
    }
  })

  it('are cut between characters, never inside one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 0, max: 60 }), (start, keep) => {
        expect(carried({ input: `${start}🎉🎉${LONG}` }, keep).same).equal(true)
      }),
      { numRuns: 50 },
    )
  })

  it('are escaped once more in the input of a tool call, which becomes text itself', () => {
    const input = { query: WILD, list: [LONG, { type: 'tool_use', input: { deep: WILD } }], short: 'a"b' }
    const body: JsonObject = {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: structuredClone(input) }] },
      ],
    }
    const { body: rest, texts: detached } = detach(body, mark, 256)
    expect(detached).length(3)
    const [block] = (rest as { messages: [{ content: [{ input: Json }] }] }).messages[0].content
    const call = written({ arguments: JSON.stringify(block.input) }, detached)
    expect(call).equal(JSON.stringify({ arguments: JSON.stringify(input) }))
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
    const { rest, detached } = carried(body)
    expect(detached).length(0)
    expect(JSON.stringify(rest)).not.contain(MARK_START)
  })

  it('leave short texts, other values and strange names as they are', () => {
    const text =
      '{"messages":[{"content":"short","__proto__":{"text":"short","constructor":[1,null,true]}}],"input":null}'
    const body = JSON.parse(text) as JsonObject
    expect(carried(body).detached).length(0)
    expect(JSON.stringify(body)).equal(text)
    const long = JSON.parse(`{"messages":[{"__proto__":{"text":"${LONG}"}}]}`) as JsonObject
    expect(carried(long)).include({ same: true })
    expect(({} as JsonObject).text).equal(undefined)
  })

  it('cannot be asked for by a client', () => {
    const { rest, detached } = carried({ input: `${MARK_START}${'0'.repeat(32)}-0@@`, instructions: LONG })
    expect(written(rest, detached)).contain(`${MARK_START}${'0'.repeat(32)}-0@@`)
    expect(newMark()).not.equal(newMark())
  })
})
