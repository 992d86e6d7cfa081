import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { at, chat, useSimulatedChat } from '../support/simulator.ts'

describe('simulator/constraint', () => {
  const { message } = useSimulatedChat()

  it('satisfies every kind of constraint', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const content = async (more: JsonObject) => String(at((await message(chat('Hello', more))).message, 'content'))
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
    expect(JSON.parse(await content({ response_format: format })).n).a('number')
    expect(JSON.parse(await content({ response_format: { type: 'json_object' } }))).an('object')
    expect(await content({ response_format: { type: 'text' } })).match(/^You wrote/)
    expect(JSON.parse(await content({ structured_outputs: { json: schema } })).n).a('number')
    expect(JSON.parse(await content({ structured_outputs: { json: JSON.stringify(schema) } })).n).a('number')
    expect(await content({ structured_outputs: { regex: '(yes|no) \\d{3}' } })).match(/^(yes|no) \d{3}$/)
    expect(await content({ structured_outputs: { grammar: 'root ::= "x" [0-9]+' } })).match(/^x\d+$/)
    expect(await content({ structured_outputs: { choice: ['red'] } })).equal('red')
    // Ignored since 0.12: the answer is free text.
    expect(await content({ guided_regex: '\\d+' })).match(/^You wrote/)
  })
})
