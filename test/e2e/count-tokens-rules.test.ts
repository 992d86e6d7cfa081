import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { type Script, status } from '../support/backend.ts'
import { SCHEMA, useRules } from '../support/rules.ts'

/** docs/api/count-tokens.md, from outside. */
describe('count_tokens', () => {
  const rules = useRules()

  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    system: 'Be brief.',
    tools: [{ name: 'f', input_schema: SCHEMA }],
  }
  const count = (more: JsonObject = {}, script?: Script) =>
    rules().ask('/v1/messages/count_tokens', { ...body, ...more }, script === undefined ? {} : { script })
  it('is what the backend counts of what it would be sent', async () => {
    const answer = await count({}, status(200, { count: 42, max_model_len: 8192, tokens: [] }))
    expect(answer.json).deep.equal({ input_tokens: 42 })
    expect(answer.headers.has('x-service-input-tokens-estimated')).equal(false)
    expect(rules().backend.requests.map(({ path }) => path)).deep.equal(['/tokenize'])
    const { sent: dispatched } = await rules().ask('/v1/messages', { ...body, max_tokens: 9 })
    for (const name of ['messages', 'tools', 'chat_template_kwargs']) {
      expect(answer.sent?.[name]).deep.equal(dispatched?.[name])
    }
  })
  it('is an estimate, and says so, where no backend can count', async () => {
    for (const script of [status(500, ''), status(200, '<html>')]) {
      const { status: code, json, headers } = await count({}, script)
      expect(code).equal(200)
      expect(json.input_tokens).within(10, 60)
      expect(headers.get('x-service-input-tokens-estimated')).equal('true')
    }
  })
  it('needs no max_tokens, and refuses in the format of Messages what Messages refuses', async () => {
    const { status: code, json, error } = await count({ tools: [{ input_schema: SCHEMA }] })
    expect(code).equal(400)
    expect(json.type).equal('error')
    expect(error).include({ code: 'missing_tool_name', param: 'tools.0.name' })
  })
})
