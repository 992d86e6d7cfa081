import { expect } from 'chai'
import { firstCall } from '../../../plugins/console/first-call.ts'

describe('first call', () => {
  it('names address, key and model, as HTML', () => {
    const html = firstCall({ origin: 'https://acme.test', secret: 's3cret', model: 'a<b' }).toString()
    expect(html)
      .contain('curl &#39;https://acme.test/v1/chat/completions&#39; -H &#39;authorization: Bearer s3cret&#39;')
      .and.contain('a&lt;b')
      .and.contain('OpenAI(base_url=&quot;https://acme.test/v1&quot;, api_key=&quot;s3cret&quot;)')
  })
})
