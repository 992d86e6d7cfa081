import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import { openapiDocument } from '../../../plugins/pages/openapi/document.ts'
import plugin from '../../../plugins/pages/openapi/index.ts'

describe('openapi', () => {
  it('answers with a constant description of the API, without a key', async () => {
    const { reply } = await play(plugin)
    expect(reply).include({ status: 200, contentType: 'application/json' })
    expect(JSON.parse(String(reply?.body))).deep.equal(openapiDocument({ brand: 'service' }))
  })
})
