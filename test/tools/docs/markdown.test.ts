import { expect } from 'chai'
import { adaptMarkdown, siteLink, slug } from '../../../tools/docs/markdown.ts'
import { anchorsOf } from '../../support/markdown.ts'

const PAGES = {
  'docs/api/models.md': 'api/models',
  'docs/api': 'api/',
  'docs/CONFIG.md': 'config',
  'docs/README.md': '',
}

describe('links of the documentation site', () => {
  const link = (href: string) => siteLink(href, 'docs/api/chat-completions.md', PAGES)

  it('lead to pages and headings of the site', () => {
    expect(link('models.md')).equal('/api/models')
    expect(link('../CONFIG.md#listen')).equal('/config#listen')
    expect(link('../api')).equal('/api/')
    expect(link('../api/')).equal('/api/')
    expect(link('../README.md')).equal('/')
  })

  it('stay as they are within a page, on the site and to elsewhere', () => {
    for (const href of ['#request', '/reference/chat', 'https://example.com/x.md', 'mailto:a@b.test'])
      expect(link(href)).equal(href)
  })

  it('do not exist for files that are no pages', () => {
    expect(link('../../lib/routes/routes.ts')).equal(undefined)
  })
})

it('the documentation site has the anchors of the repository', () => {
  for (const title of ['One canonical form', '`plugins.add[]`', 'What is written, and what never is', 'Größe'])
    expect(slug(title)).equal(anchorsOf(`# ${title}`)[0])
})

it('the documentation site lets long names in cells wrap, and no others', () => {
  const rules: ((state: unknown) => void)[] = []
  const md = { core: { ruler: { push: (_name: string, rule: (state: never) => void) => rules.push(rule as never) } } }
  adaptMarkdown(md, { root: '/', pages: {}, sources: {} })
  const token = (type: string, content = '', children: object[] | null = null) => {
    return { type, tag: '', content, children, attrs: null, attrGet: () => null, attrSet: () => {} }
  }
  const codes = () => ['/v1/files/{file_id}', 'POST', 'a_very_long_<name>'].map(text => token('code_inline', text))
  const [inCell, inText] = [codes(), codes()]
  rules[0]!({
    tokens: [token('td_open'), token('inline', '', inCell), token('p_open'), token('inline', '', inText)],
    env: {},
  })
  expect(inCell.map(({ content }) => content)).deep.equal([
    '<code v-pre>/v1/<wbr>files/<wbr>{file_<wbr>id}</code>',
    'POST',
    '<code v-pre>a_<wbr>very_<wbr>long_&lt;name&gt;</code>',
  ])
  expect(inText.map(({ content }) => content)).deep.equal(codes().map(({ content }) => content))
})

it('the documentation site names the column in each cell, for the cards of phones', () => {
  const rules: ((state: unknown) => void)[] = []
  const md = { core: { ruler: { push: (_name: string, rule: (state: never) => void) => rules.push(rule as never) } } }
  adaptMarkdown(md, { root: '/', pages: {}, sources: {} })
  const cells: string[][] = []
  const token = (type: string, content = '') => {
    const attrSet = (...attr: string[]) => void cells.push(attr)
    return { type, tag: '', content, children: null, attrs: null, attrGet: () => null, attrSet }
  }
  const cell = (kind: string, content: string) => [
    token(`${kind}_open`),
    token('inline', content),
    token(`${kind}_close`),
  ]
  const row = (kind: string, ...texts: string[]) => [token('tr_open'), ...texts.flatMap(text => cell(kind, text))]
  rules[0]!({ tokens: [token('table_open'), ...row('th', '`Name`', '', 'Type'), ...row('td', 'a', 'b', 'c')], env: {} })
  expect(cells).deep.equal([
    ['data-label', 'Name'],
    ['data-label', 'Type'],
  ])
})
