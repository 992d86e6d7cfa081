import assert from 'node:assert/strict'
import { chat } from '../../lib/plugin.ts'
import { play } from '../../lib/testing.ts'
import plugin from '../../plugins/_template/index.ts'

describe('_template', () => {
  const asking = (maxTokens: number | undefined) => [[chat, { maxTokens }]] as const

  it('refuses a request that asks for more tokens than the limit, and names the member', async () => {
    const { error } = await play(plugin, { options: { limit: 100 }, given: asking(101) })
    assert.equal(error?.code, 'schema_validation_failed')
    assert.equal(error.status, 422)
    assert.equal(error.details.param, 'max_tokens')
  })

  it('lets every other request pass', async () => {
    for (const maxTokens of [undefined, 1, 4096]) {
      const { error } = await play(plugin, { given: asking(maxTokens) })
      assert.equal(error, undefined)
    }
  })
})
