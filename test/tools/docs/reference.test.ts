import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ROUTES, type Route } from '../../../lib/routes/routes.ts'
import { referencePages } from '../../../tools/docs/reference.ts'

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

describe('the API reference of the site', () => {
  const pages = new Map(referencePages(read).map(({ path, markdown }) => [path, markdown]))

  it('has a page for every operation of the API', () => {
    const routes = (ROUTES as readonly Route[]).filter(({ path }) => /^\/v\d\//.test(path))
    expect(routes.map(({ name }) => name).filter(name => !pages.has(`reference/${name}`))).deep.equal([
      'serverless-keys',
    ])
  })

  it('describes members and examples in the words of docs/api, whose examples are tested', () => {
    const page = pages.get('reference/chat')!
    expect(page).contain('| `model` | string | required | An id or alias of the [model list](models.md)')
    expect(page).contain('`Authorization: Bearer KEY`').and.contain('[`model_not_found`](../errors/model_not_found.md)')
    const examples = /^## Examples\n.*/ms.exec(read('docs/api/chat-completions.md'))![0].split('\n## ')[0]!
    for (const [block] of examples.matchAll(/^```.*?^```$/gms)) expect(page).contain(block)
  })

  it('has the schemas that pages refer to', () => {
    const anchors = new Set(
      [...pages.get('reference/schemas')!.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!.toLowerCase()),
    )
    for (const [path, markdown] of pages) {
      for (const [, anchor] of markdown.matchAll(/\(\/reference\/schemas#(\w+)\)/g))
        expect(anchors, path).include(anchor!)
    }
  })
})
