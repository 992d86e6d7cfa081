import { expect } from 'chai'
import { siteLink, slug } from '../../../tools/docs/markdown.ts'
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
