import { expect } from 'chai'
import { chat } from '../../lib/plugin.ts'
import { play } from '../../lib/testing.ts'
import plugin from '../../plugins/_template/index.ts'

describe('_template', () => {
  const asking = (maxTokens: number | undefined) => [[chat, { maxTokens }]] as const

  it('refuses a request that asks for more tokens than the limit, and says where', async () => {
    const { error } = await play(plugin, { options: { limit: 100 }, given: asking(101) })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error!.details.param).equal('max_tokens')
  })

  it('lets every other request through', async () => {
    for (const maxTokens of [undefined, 1, 4096]) {
      const { error } = await play(plugin, { given: asking(maxTokens) })
      expect(error).equal(undefined)
    }
  })
})
