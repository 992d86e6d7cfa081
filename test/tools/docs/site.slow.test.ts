/** The documentation site as it is built and served: its links, its policy, its look. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ERRORS } from '../../../lib/console.ts'
import { defineErrors } from '../../../lib/plugin.ts'
import { play, testServices } from '../../../lib/testing.ts'
import errorDocs from '../../../plugins/pages/error-docs/index.ts'
import { sitePages } from '../../../tools/docs/pages.ts'
import { axeFindings, pageProblems, useBrowser } from '../../support/browser.ts'
import { type TestGateway, testGateway } from '../../support/gateway.ts'
import { builtSite } from '../../support/site.ts'

const BASE = '/docs/'

/** The name of the file behind a path on the gateway; undefined: none. */
function fileOf(site: string, path: string): string | undefined {
  const name = path.slice(BASE.length)
  const names = name === '' || name.endsWith('/') ? [`${name}index.html`] : [name, `${name}.html`, `${name}/index.html`]
  return names.find(one => existsSync(join(site, one)) && /\.\w+$/.test(one))
}

describe('the documentation site', function () {
  this.timeout(300_000)
  const open = useBrowser()
  let site: string
  let gateway: TestGateway
  let html: ReadonlyMap<string, string>

  before(async () => {
    site = await builtSite()
    html = new Map(globSync('**/*.html', { cwd: site }).map(file => [file, readFileSync(join(site, file), 'utf8')]))
    gateway = await testGateway({ backends: ['http://127.0.0.1:9/v1'], more: { docs: true } })
  })
  after(() => gateway?.close())

  it('has every page, and a title on each', () => {
    const root = new URL('../../../', import.meta.url).pathname
    for (const { path } of sitePages(root)) expect(html.get(`${path}.html`), path).match(/<h1[\s>]/)
  })

  it('links to pages and headings that exist, and loads nothing from elsewhere', () => {
    const broken: string[] = []
    for (const [file, text] of html) {
      const from = `http://site${BASE}${file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`
      for (const [, name, value] of text.matchAll(/ (href|src)="([^"]*)"/g)) {
        const { host, pathname, hash } = new URL(value!.replaceAll('&amp;', '&'), from)
        if (host !== 'site') {
          if (name === 'src' || text.includes(`<link rel="stylesheet" href="${value}`)) broken.push(`${file}: ${value}`)
          continue
        }
        const target = pathname.startsWith(BASE) ? fileOf(site, pathname) : undefined
        const anchor = decodeURIComponent(hash.slice(1))
        if (target === undefined) broken.push(`${file}: ${value}`)
        else if (anchor !== '' && !html.get(target)?.includes(` id="${anchor}"`)) broken.push(`${file}: ${value}`)
      }
    }
    expect(broken).deep.equal([])
  })

  it('has no styles in elements, and no pictures in styles, which its policy would not allow', () => {
    for (const [file, text] of html) expect(text, file).not.match(/<[a-z][^<>]* style="/)
    for (const file of globSync('**/*.css', { cwd: site }))
      expect(readFileSync(join(site, file), 'utf8'), file).not.match(/url\(["']?data:/)
  })

  it('has every listing in a box that scrolls', () => {
    for (const [file, text] of html) expect(text, file).not.contain('<pre>')
  })

  it('is served with its types, its policy and its caches', async () => {
    const page = await gateway.get('/docs/')
    expect(page.status).equal(200)
    expect(page.headers.get('content-type')).equal('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).equal('no-cache')
    const policy = page.headers.get('content-security-policy')
    expect(policy).match(/^default-src 'none'; script-src 'self'( 'sha256-[\w+/=]+')+; style-src 'self'; /)
    expect(policy).not.contain('unsafe')
    const etag = page.headers.get('etag')!
    const again = await gateway.get('/docs/', { 'if-none-match': etag })
    expect([again.status, await again.text(), again.headers.get('content-type')]).deep.equal([304, '', null])
    const script = /src="(\/docs\/assets\/app\.[^"]+)"/.exec(await page.text())![1]!
    const asset = await gateway.get(script)
    expect(asset.headers.get('cache-control')).equal('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).equal('text/javascript; charset=utf-8')
    const head = await fetch(gateway.url + script, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).deep.equal([200, String((await asset.text()).length)])
  })

  it('redirects to the one path of a page, and serves no other file', async () => {
    for (const [path, to] of [
      ['/docs', '/docs/'],
      ['/docs/api', '/docs/api/'],
      ['/docs/errors/', '/docs/errors'],
    ]) {
      const { status, headers } = await fetch(gateway.url + path, { redirect: 'manual' })
      expect([status, headers.get('location')], path).deep.equal([308, to])
    }
    for (const path of ['none', 'site.json', 'frame.html', '..%2fpackage.json', '%2e%2e/package.json', 'api/none']) {
      const response = await gateway.get(`/docs/${path}`)
      expect([response.status, await response.text()], path).satisfies(
        ([status, text]: [number, string]) => status === 404 && text.includes('http_404'),
      )
    }
    expect((await fetch(`${gateway.url}/docs/`, { method: 'POST' })).status).equal(405)
  })

  it('shows browsers a page where there is none', async () => {
    for (const path of ['none', 'CONFIG', 'errors/none']) {
      const response = await gateway.get(`/docs/${path}`, { accept: 'text/html,*/*;q=0.8' })
      expect([response.status, response.headers.get('content-type')], path).deep.equal([
        404,
        'text/html; charset=utf-8',
      ])
      expect(response.headers.get('content-security-policy')).contain("default-src 'none'")
      expect(await response.text())
        .contain('<h1>Page not found</h1>')
        .and.contain('<a href="/docs/">')
    }
  })

  it('gives pages of error codes its look, also those of codes that plugins declare, but not on other hosts', async () => {
    const own = defineErrors({ acme_word: [403, 'permission_error', "The word '{word}' is not allowed."] })
    const services = { config: { ...testServices().config, docs: true }, errors: { ...ERRORS, ...own.table } }
    const page = async (params: Record<string, string>, surface: 'gateway' | 'dedicated' = 'gateway') => {
      const route = params.code === undefined ? 'error-docs-index' : 'error-docs'
      const { reply, headers } = await play(errorDocs, { route, params, surface, services })
      const text = reply!.body instanceof Readable ? String(Buffer.concat(await reply!.body.toArray())) : reply!.body
      return { text, policy: headers['content-security-policy'] ?? '' }
    }
    for (const [params, content] of [
      [{ code: 'http_404' }, '<code>http_404</code>'],
      [{ code: 'acme_word' }, '<code>permission_error</code>'],
      [{}, '<a href="/docs/errors/acme_word">'],
    ] as const) {
      const { text, policy } = await page(params)
      expect(text).contain(content).and.contain('<link rel="preload stylesheet" href="/docs/assets/style.')
      expect(policy).contain("script-src 'self' 'sha256-")
    }
    expect((await page({ code: 'acme_word' })).text)
      .contain('<html class="frame" ')
      .and.not.contain('src="/docs/assets/app')
    expect((await page({ code: 'http_404' }, 'dedicated')).text)
      .contain('<style>')
      .and.not.contain('/docs/assets')
  })

  it('breaks no policy, asks no other host, and fits on every screen in both colour schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        const context = await open({ colorScheme, viewport: { width, height: 800 } })
        // Tables are the widest on a phone; axe-core does not depend on the width.
        const paths =
          width === 360
            ? ['', 'reference/chat', 'scaling', 'limits']
            : ['', 'start/house', 'errors/rate_limit_exceeded']
        for (const path of paths) {
          const page = await context.newPage()
          const problems = pageProblems(page)
          const hosts = new Set<string>()
          page.on('request', request => hosts.add(new URL(request.url()).host))
          await page.goto(`${gateway.url}/docs/${path}`)
          await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined')
          const what = `${path} ${colorScheme} ${width}`
          expect(problems, what).deep.equal([])
          expect([...hosts], what).deep.equal([new URL(gateway.url).host])
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), what).most(0)
          if (width === 1280) expect(await findings(page), what).deep.equal([])
          await page.close()
        }
      }
    }
  })

  it('finds pages by its own search, and opens them', async () => {
    const page = await (await open()).newPage()
    const problems = pageProblems(page)
    await page.goto(`${gateway.url}/docs/`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('cache isolation')
    await page.locator('.VPLocalSearchBox .result').first().click()
    await page.waitForURL(/\/docs\/.+/)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).not.equal('')
    await page.locator('main').waitFor()
    expect(await page.getByRole('main').count()).equal(1)
    expect(problems).deep.equal([])
  })
})

/** What axe-core finds, less the label of the theme's search button, which lacks its keys. */
async function findings(page: Page): Promise<readonly string[]> {
  return (await axeFindings(page)).filter(text => !text.includes('class="DocSearch DocSearch-Button"'))
}
