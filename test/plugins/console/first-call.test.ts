import { expect } from 'chai'
import { firstCall } from '../../../plugins/console/first-call.ts'

describe('first call', () => {
  it('names address, key and model, as HTML', () => {
    const html = firstCall({ origin: 'https://acme.test', secret: 's3cret', model: 'a<b' }).toString()
    expect(html)
      .contain(
        'curl &#39;https://acme.test/v1/chat/completions&#39; \\\n  -H &#39;authorization: Bearer s3cret&#39; \\\n',
      )
      .and.contain('a&lt;b')
      .and.contain('base_url=&quot;https://acme.test/v1&quot;,\n    api_key=&quot;s3cret&quot;,\n)')
  })
})
