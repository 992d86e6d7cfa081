import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { detachedBytes, detachedFrom, MARK_START, markOf, newMark } from '../../../lib/body/detach.ts'
import { attached, detachedTexts, taken } from '../../support/bodies.ts'

const mark = newMark()
const LONG = 'x'.repeat(70_000)
/** Everything that JSON escapes, characters of every length in UTF-8, and a surrogate without its other half. */
const WILD = `"\\\n\u0001é€🎉\u2028\ud800${LONG}"`

/** What a backend reads that is sent the body just as it came. */
const carried = (body: JsonObject) => {
  const { value, detached } = taken(body, mark)
  const left = JSON.stringify(value)
  return { left, count: detached.count, same: attached(left, mark, detached) === JSON.stringify(body) }
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
    const { left, count } = carried(body)
    expect(count).equal(0)
    expect(left).not.contain(MARK_START)
  })

  it('leave short texts, other values and strange names as they are', () => {
    const text =
      '{"messages":[{"content":"short","__proto__":{"text":"short","constructor":[1,null,true]}}],"input":null}'
    expect(carried(JSON.parse(text) as JsonObject)).deep.equal({ left: text, count: 0, same: true })
    const long = JSON.parse(`{"messages":[{"__proto__":{"text":"${LONG}"}}]}`) as JsonObject
    expect(carried(long)).include({ same: true, count: 1 })
    expect(({} as JsonObject).text).equal(undefined)
  })

  it('cannot be asked for by a client', () => {
    const forged = `${MARK_START}${'0'.repeat(32)}-0@@`
    expect(carried({ input: forged, instructions: LONG })).include({ same: true, count: 1 })
    expect(newMark()).not.equal(newMark())
    const texts = detachedTexts([[Buffer.from('secret')]])
    expect([...detachedFrom(`${MARK_START}00-1@@`, texts)]).deep.equal([])
  })

  it('are found by the marks in a text', () => {
    const texts = detachedTexts([[Buffer.from('one')], [Buffer.from('two'), Buffer.from('three')]])
    const text = `a ${markOf(mark, 1)} b ${markOf(mark, 0)}`
    expect(Buffer.concat([...detachedFrom(text, texts)]).toString()).equal('twothreeone')
    expect(detachedBytes(text, texts)).equal(11)
    expect(detachedBytes('a', texts)).equal(0)
    expect(detachedBytes(text, null)).equal(0)
  })
})
