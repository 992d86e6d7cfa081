import { expect } from 'chai'
import { html } from '../../../lib/pages/html.ts'

describe('html', () => {
  it('escapes values, but not HTML of another template', () => {
    const hostile = `"><script>alert('1')</script>&`
    const text = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
    expect(html`<b title="${hostile}">${hostile}</b>`.toString()).equal(`<b title="${text}">${text}</b>`)
    expect(html`<p>${html`<b>${hostile}</b>`}</p>`.toString()).equal(`<p><b>${text}</b></p>`)
  })

  it('joins lists, and omits null and false, but not 0', () => {
    expect(html`${['<', [html`<br>`, 0], null, false, '']}|${null}`.toString()).equal('&lt;<br>0|')
  })
})
