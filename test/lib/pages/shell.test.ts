import { expect } from 'chai'
import { assetsOf } from '../../../lib/pages/assets.ts'
import { html } from '../../../lib/pages/html.ts'
import { PAGE_HEADERS, pageOf, type Shell } from '../../../lib/pages/shell.ts'

const SHELL: Shell = {
  audience: 'operators',
  name: 'Team',
  assetPath: '/assets',
  findPath: '/find',
  links: [
    ['/', 'Now'],
    ['/accounts', 'Accounts'],
  ],
}

describe('shell', () => {
  it('accepts a title as text and a body as HTML', () => {
    expect(pageOf(SHELL, { title: 'A < B', body: html`<p>text</p>`, path: null }))
      .match(/^<!doctype html>/)
      .and.contain('<title>A &lt; B · Team</title>')
      .and.contain('<h1>A &lt; B</h1>\n<p>text</p>\n</main>')
      .and.contain('<html lang="en">')
      .and.contain('name="viewport"')
  })

  it('names the part of a page in the document title', () => {
    expect(pageOf(SHELL, { title: 'Acme', part: 'Keys', body: html``, path: null })).contain(
      '<title>Keys · Acme · Team</title>',
    )
  })

  it('marks the current page in the navigation, and has none without a session', () => {
    const page = { title: 'Accounts', body: html``, path: '/accounts', visitor: html`<b>alice</b>` }
    expect(pageOf(SHELL, page))
      .contain('<nav aria-label="Team">')
      .and.contain('<a href="/accounts" data-key="a" aria-current="page">Accounts</a>')
      .and.contain('<a href="/" data-key="n">Now</a>')
      .and.contain('<b>alice</b>')
      .and.contain('<a class="skip" href="#main">')
    expect(pageOf(SHELL, { ...page, path: null })).not.contain('<nav')
  })

  it('has a search that works without script', () => {
    const page = pageOf(SHELL, { title: 'Now', body: html``, path: '/' })
    expect(page).contain('<form class="find" action="/find" role="search">').and.contain('name="q"')
    expect(pageOf(SHELL, { title: 'Sign in', body: html``, path: null })).not.contain('class="find"')
  })

  it('gives each page a letter of its name that no other page has', () => {
    const lettersOf = (names: readonly string[]) => {
      const links = names.map(name => ['/x', name] as const)
      const page = pageOf({ ...SHELL, links }, { title: 'X', body: html``, path: '/' })
      return Array.from(page.matchAll(/data-key="([^"]*)"/g), ([, letter]) => letter).join()
    }
    expect(lettersOf(['Overview', 'Accounts', 'Audit', 'Backends', 'Batches', 'Try it'])).equal('o,a,u,b,t,r')
    expect(lettersOf(['A', 'A', '–'])).equal('a,,')
  })

  it('names the installation and its environment, or the product', () => {
    const page = { title: 'Now', body: html``, path: '/' }
    expect(pageOf(SHELL, { ...page, site: { brand: 'acme', environment: '<staging>' } }))
      .contain('<strong>acme</strong>')
      .and.contain('<span class="environment">&lt;staging&gt;</span>')
    for (const site of [undefined, { brand: 'service' }])
      expect(pageOf(SHELL, { ...page, site }))
        .contain('<strong>Sluiceway</strong>')
        .and.not.contain('"environment"')
  })

  it('has a section of the navigation for each name, until the next one', () => {
    const links = [
      ['/', 'Now', 'Traffic'],
      ['/requests', 'Requests'],
      ['/audit', 'Audit', 'Records'],
    ] as const
    const lists = pageOf({ ...SHELL, links }, { title: 'Now', body: html``, path: '/' }).match(
      /<p>\w+<\/p><ul>.*?<\/ul>/g,
    )
    expect(lists).lengthOf(2)
    expect(lists![0]).match(/^<p>Traffic<\/p>.*Now.*Requests/)
  })

  it('refers to files of styles and scripts, with the version in their URLs', () => {
    const { version } = assetsOf('operators')
    const page = { title: 'Now', body: html``, path: '/' }
    expect(pageOf(SHELL, { ...page, script: 'plot.js' }))
      .contain(`<link rel="stylesheet" href="/assets/${version}/style.css">`)
      .and.contain(`<script type="module" src="/assets/${version}/plot.js"></script>`)
    expect(pageOf(SHELL, page).match(/<script/g)).lengthOf(1)
  })

  it('has a policy that allows neither inline code nor other origins, and is not cached', () => {
    const policy = PAGE_HEADERS['content-security-policy']!
    expect(policy).contain("default-src 'none'").and.contain("frame-ancestors 'none'")
    expect(policy.match(/(?<=-src )[^;]+/g)).deep.equal(["'none'", ...Array<string>(4).fill("'self'")])
    expect(PAGE_HEADERS).include({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
  })
})
