import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { KEY } from '../support/gateway.ts'
import { useRules } from '../support/rules.ts'

const HEADER = 'x-service-ignored'
const HI = { role: 'user', content: 'Hi', weight: 1 }

const BODIES: Readonly<Record<string, readonly [body: JsonObject, path: string]>> = {
  '/v1/chat/completions': [{ messages: [HI] }, 'messages.0.weight'],
  '/v1/completions': [{ prompt: 'Hi', stream_options: { fast: true } }, 'stream_options.fast'],
  '/v1/messages': [{ max_tokens: 9, messages: [HI] }, 'messages.0.weight'],
  '/v1/messages/count_tokens': [{ messages: [HI] }, 'messages.0.weight'],
  '/v1/responses': [{ input: [{ type: 'message', ...HI }] }, 'input.0.weight'],
}

describe('members of a body that are ignored', () => {
  const rules = useRules()

  for (const [path, [body, ignored]] of Object.entries(BODIES)) {
    it(`are named in a header on ${path}`, async () => {
      const { ask } = rules()
      const answer = await ask(path, { model: 'm', ...body })
      expect(answer.status, answer.text).equal(200)
      expect(answer.headers.get(HEADER)).equal(ignored)
      expect(JSON.stringify(answer.sent ?? {}))
        .not.contain('weight')
        .and.not.contain('fast')
    })
  }

  it('are named on streams, on large bodies and on refusals that come later', async () => {
    const { ask } = rules()
    const body = { model: 'm', messages: [HI] }
    expect((await ask('/v1/chat/completions', { ...body, stream: true })).headers.get(HEADER)).equal(
      'messages.0.weight',
    )
    const long = { model: 'm', messages: [{ role: 'user', content: 'word '.repeat(60_000) }, HI], n: 9 }
    const large = await ask('/v1/chat/completions', long)
    expect(large.headers.get(HEADER)).equal('messages.1.weight')
    const refused = await ask('/v1/chat/completions', { ...body, model: 'nobody' })
    expect(refused.status).equal(404)
    expect(refused.headers.get(HEADER)).equal('messages.0.weight')
  })

  it('are no reason for a header where there are none', async () => {
    const { ask } = rules()
    const answer = await ask('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
    expect(answer.headers.has(HEADER)).equal(false)
  })

  it('are in the log of nobody but the operator', async () => {
    const { gateway } = rules()
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'service-zdr': 'required' },
      body: JSON.stringify({ model: 'm', messages: [HI] }),
    })
    expect(response.headers.get(HEADER), 'the client itself reads them').equal('messages.0.weight')
    await response.text()
    const kept = JSON.stringify(gateway.records())
    expect(kept).contain('/v1/chat/completions').and.not.contain('weight')
  })
})
