import { expect } from 'chai'
import { escapeHtml } from '../../../lib/base/html.ts'

describe('base/html', () => {
  it('leaves nothing in a text that could be markup or the end of an attribute', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).equal(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    )
    expect(escapeHtml('plain')).equal('plain')
  })
})
