import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { sidebarOf } from '../../../tools/docs/navigation.ts'
import { sitePages } from '../../../tools/docs/pages.ts'

describe('the pages of the documentation site', () => {
  const pages = sitePages(fileURLToPath(new URL('../../../', import.meta.url)))
  const page = (path: string) => pages.find(one => one.path === path)

  it('are those of docs/ and some others, each with its own path', () => {
    expect(new Set(pages.map(({ path }) => path.toLowerCase())).size).equal(pages.length)
    expect(page('index')?.source).equal('docs/README.md')
    expect(page('operations')?.source).equal('docs/OPERATIONS.md')
    expect(page('api/index')?.source).equal('docs/api/README.md')
    expect(page('architecture')?.source).equal('ARCHITECTURE.md')
    expect(page('config-example')?.markdown).contain('\n```yaml\n').and.contain('\nmodels:\n')
  })

  it('begin with a card for each door', () => {
    const { features } = JSON.parse(/^---\n(.*)\n---\n/.exec(page('index')!.markdown)![1]!)
    expect(features.map(({ link }: { link: string }) => link)).deep.equal([
      '/start/first-call',
      '/start/production',
      '/start/plugin',
      '/start/house',
    ])
    expect(page('index')!.markdown).not.contain('CHANGELOG')
  })

  it('have lists of folders without a page of their own', () => {
    expect(page('plugins/index')?.markdown).contain('| [auth](auth.md) | ')
    expect(page('errors/index')?.markdown).contain('| [`http_404`](http_404.md) | 404 | `invalid_request_error` |\n')
    expect(page('errors/index')?.markdown).not.contain('| Status 4')
  })

  it('have no comments, which would be shown, and are not searched if they no longer hold', () => {
    for (const { path, markdown } of pages)
      expect(markdown.replace(/```.*?```|`[^`]*`/gs, ''), path).not.contain('<!--')
    expect(page('adr/archive/index')).include({ isSearched: false })
  })

  it('are all reached from a list at their side', () => {
    const sidebar = sidebarOf(pages)
    const links = JSON.stringify(sidebar)
    for (const { path } of pages) {
      if (path === 'index') continue
      expect(links, path).contain(`"link":"/${path.replace(/(^|\/)index$/, '$1')}"`)
    }
    expect(Object.keys(sidebar).at(-1)).equal('/')
  })
})
