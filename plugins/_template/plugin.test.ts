import assert from 'node:assert/strict'
import { play } from '../../lib/testing.ts'
import plugin from '../../plugins/_template/index.ts'

describe('_template', () => {
  const asking = (max_tokens: number | undefined) => ({
    model: 'demo',
    messages: [{ role: 'user', content: 'Hi' }],
    ...(max_tokens === undefined ? null : { max_tokens }),
  })

  // In a large body every text is decoded when it is read: a plugin must not notice.
  for (const size of ['small', 'large'] as const) {
    it(`refuses a request that asks for more tokens than the limit, and names the member: ${size} body`, async () => {
      const { error } = await play(plugin, { options: { limit: 100 }, body: asking(101), size })
      assert.equal(error?.code, 'schema_validation_failed')
      assert.equal(error.status, 422)
      assert.equal(error.details.param, 'max_tokens')
    })

    it(`lets every other request pass: ${size} body`, async () => {
      for (const maxTokens of [undefined, 1, 4096]) {
        const { error } = await play(plugin, { body: asking(maxTokens), size })
        assert.equal(error, undefined)
      }
    })
  }
})
