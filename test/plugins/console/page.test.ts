import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { htmlPage, htmlTable, PERSONAL } from '../../../plugins/console/page.ts'

describe('page', () => {
  it('takes a title as text and a body as HTML', () => {
    const page = htmlPage('A < B', '<p>text</p>')
    expect(page)
      .match(/^<!doctype html>/)
      .and.contain('<title>A &lt; B</title>')
      .and.contain('<h1>A &lt; B</h1>\n<p>text</p>\n</main>')
      .and.contain('<html lang="en">')
      .and.contain('name="viewport"')
  })

  it('says in the navigation where one is, and has none for strangers', () => {
    expect(htmlPage('Keys', '', '/console/keys'))
      .contain('<nav aria-label="Console">')
      .and.contain('<a href="/console/keys" aria-current="page">Keys</a>')
      .and.contain('<a href="/console">Console</a>')
    expect(htmlPage('Signed out', '')).not.contain('<nav')
  })

  it('has tables with a caption and named columns', () => {
    expect(htmlTable('Your <keys>', ['A & B'], [['<code>k</code>']]))
      .contain('<caption>Your &lt;keys&gt;</caption>')
      .and.contain('<th scope="col">A &amp; B</th>')
      .and.contain('<td><code>k</code></td>')
  })

  it('for one user is not cached, sends no referrer, and runs neither scripts nor styles but its own', () => {
    const policy = PERSONAL['content-security-policy']
    const style = /<style>(.*)<\/style>/s.exec(htmlPage('A', ''))![1]!
    const digest = createHash('sha256').update(style).digest('base64')
    expect(policy).contain("default-src 'none'").and.contain(`style-src 'sha256-${digest}'`)
    expect(policy).not.contain('unsafe').and.not.contain('script-src')
    expect(PERSONAL).include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })
})
