import { expect } from 'chai'
import { markdownBody, markdownHtml } from '../../../lib/pages/markdown.ts'

describe('markdown', () => {
  const partOf = (text: string, below?: number) => markdownHtml(text, below === undefined ? {} : { below }).toString()

  it('is a body with its links, or a part of a page with the texts of its links', () => {
    expect(markdownBody('# A\n\n[b](/c)')).equal('<h1>A</h1>\n<p><a href="/c">b</a></p>')
    expect(partOf('[b](../c.md)')).equal('<p>b</p>')
  })

  it('lowers headings below those of the page', () => {
    expect(partOf('# A\n## B\n###### C', 2)).equal('<h3>A</h3>\n<h4>B</h4>\n<h6>C</h6>')
  })

  it('has no empty header cells, and focusable code', () => {
    expect(partOf('| | |\n| - | - |\n| 1 | 2 |')).equal('<table><tr><td>1</td><td>2</td></tr></table>')
    expect(partOf('| A | |\n| - | - |')).equal('<table><tr><th>A</th><td></td></tr></table>')
    expect(partOf('```\na\n```')).equal('<pre tabindex="0">a</pre>')
  })

  it('shows HTML as text', () => {
    expect(partOf('<b>x</b> `<i>`')).equal('<p>&lt;b&gt;x&lt;/b&gt; <code>&lt;i&gt;</code></p>')
    expect(markdownBody('[x](javascript:alert(1))')).equal('<p>x</p>')
  })
})
