import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { designRoutes } from '../../../../lib/admin/pages/design.ts'
import { usePages } from '../../../support/operators.ts'

describe('the page of the design system', () => {
  const pages = usePages()

  it('shows the tokens and components in a checkout', async () => {
    const { status, text } = await pages().get('/design')
    expect(status).equal(200)
    for (const part of [
      '--link',
      'class="cards"',
      'class="badge',
      'class="tabs',
      'class="menu',
      '<table>',
      'aria-sort="descending"',
      'class="columns"',
      'data-plot',
      'class="empty"',
      'toast',
      'dialog',
    ])
      expect(text, part).contain(part)
  })

  it('is absent from a package without its content', () => {
    const missing = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'sluiceway-')), 'design.ts'))
    expect(designRoutes(missing)).deep.equal([])
  })
})
