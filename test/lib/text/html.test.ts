import { expect } from 'chai'
import { escapeHtml } from '../../../lib/text/html.ts'

describe('escapeHtml', () => {
  it('escapes everything that could be markup or end an attribute', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).equal(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    )
    expect(escapeHtml('plain')).equal('plain')
  })
})
