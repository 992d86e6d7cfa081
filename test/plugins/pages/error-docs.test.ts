import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { ERRORS } from '../../../lib/console.ts'
import { defineErrors } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import { toHtml } from '../../../plugins/pages/error-docs/html.ts'
import errorDocs from '../../../plugins/pages/error-docs/index.ts'

async function page(code?: string) {
  const { reply, error } = await play(
    errorDocs,
    code === undefined ? { route: 'error-docs-index' } : { route: 'error-docs', params: { code } },
  )
  return error === undefined ? reply! : { status: error.status, contentType: error.code, body: error.message }
}

/** The body of the document. */
const bodyOf = (markdown: string) => /<\/style>(.*)<\/html>\n$/s.exec(toHtml(markdown))![1]

describe('error-docs', () => {
  it('serves the page of every code, so that every docs_url leads somewhere', async () => {
    for (const code of Object.keys(ERRORS)) {
      const { status, contentType, body } = await page(code)
      expect([status, contentType], code).deep.equal([200, 'text/html; charset=utf-8'])
      expect(body, code).contain(`<title>${code}</title>`).and.contain(`<h1><code>${code}</code></h1>`)
    }
  })

  it('fits phones, and leads from each page to the list', async () => {
    const { body } = await page('model_not_found')
    expect(body).contain('<meta name="viewport" content="width=device-width">')
    expect(body).contain('<a href="/docs/errors">All error codes</a>')
    expect((await page()).body).not.contain('All error codes')
  })

  it('links only to pages that exist without the documentation site', async () => {
    for (const code of Object.keys(ERRORS))
      for (const [, target] of String((await page(code)).body).matchAll(/href="([^"]*)"/g)) {
        const [, other] = /^\/docs\/errors(?:\/(\w+))?$/.exec(target!) ?? []
        expect((await page(other)).status, `${code}: ${target}`).equal(200)
        expect(target, code).match(/^\/docs\/errors/)
      }
    expect((await page('http_401')).body).contain('href="/docs/errors/missing_api_key"')
  })

  it('lists them all', async () => {
    const { body } = await page()
    const links = [...String(body).matchAll(/<a href="\/docs\/errors\/(\w+)">/g)].map(([, code]) => code)
    expect(links).deep.equal(Object.keys(ERRORS))
  })

  it('has no other pages, and reads no file that a request names', async () => {
    for (const code of ['none', '', '..', '../../package', '../../README', '__proto__', 'invalid_api_key.md']) {
      const { status, contentType } = await page(code)
      expect([status, contentType], code).deep.equal([404, 'http_404'])
    }
  })

  it('has a page for each code that a plugin declares', async () => {
    const acme = defineErrors({ acme_word: [403, 'permission_error', "The word '{word}' is not allowed."] })
    const services = { errors: { ...ERRORS, ...acme.table } }
    const { reply } = await play(errorDocs, { route: 'error-docs', params: { code: 'acme_word' }, services })
    expect(String(reply!.body)).contain('403').and.contain('permission_error').and.contain('{word}')
    const index = await play(errorDocs, { route: 'error-docs-index', services })
    expect(String(index.reply!.body)).contain('<a href="/docs/errors/acme_word">')
  })

  it('renders all Markdown of every page', () => {
    const folder = new URL('../../../docs/errors/', import.meta.url)
    expect(readdirSync(folder).length).least(Object.keys(ERRORS).length)
    return Promise.all(
      Object.keys(ERRORS).map(async code => {
        const text = String((await page(code)).body).replace(/<pre>.*?<\/pre>/gs, '')
        expect(text, code).not.match(/```|\]\(|^#|^- |^\||\*\*|`/m)
      }),
    )
  })

  describe('Markdown as HTML', () => {
    it('headings, paragraphs, code', () => {
      expect(bodyOf('# One\n\n## Two `x`\n\nText of\ntwo lines.')).equal(
        '<h1>One</h1>\n<h2>Two <code>x</code></h2>\n<p>Text of\ntwo lines.</p>',
      )
    })

    it('lists, with items of several lines', () => {
      expect(bodyOf('- one\n- two\n  goes on\n- `three`')).equal(
        '<ul><li>one</li><li>two\ngoes on</li><li><code>three</code></li></ul>',
      )
    })

    it('tables', () => {
      expect(bodyOf('| A | B |\n| - | :-: |\n| 1 | `2` |')).equal(
        '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><code>2</code></td></tr></table>',
      )
    })

    it('fenced code, blank lines and all', () => {
      expect(bodyOf('```json\n{\n\n  "a": 1\n}\n```\n\nAfter.')).equal(
        '<pre>{\n\n  &quot;a&quot;: 1\n}</pre>\n<p>After.</p>',
      )
    })

    it('links', () => {
      expect(bodyOf('See [all](/docs/errors).')).equal('<p>See <a href="/docs/errors">all</a>.</p>')
    })

    it('no links that run a script, and no external images', () => {
      for (const href of ['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', 'vbscript:x']) {
        expect(bodyOf(`[x](${href})`), href).equal('<p>x</p>')
      }
      expect(bodyOf('![x](https://example.com/x.png)')).equal('<p>x</p>')
    })

    it('the title, without markup', () => {
      expect(toHtml('# `code` & more')).contain('<title>code &amp; more</title>')
      expect(toHtml('No heading.')).contain('<title>Documentation</title>')
    })

    it('escapes HTML everywhere', () => {
      const evil = '<script>"&"</script>'
      const safe = '&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;'
      const places = [
        `# ${evil}`,
        evil,
        `\`${evil}\``,
        `- ${evil}`,
        `| ${evil} |\n| - |`,
        `\`\`\`\n${evil}\n\`\`\``,
        `[${evil}](/x)`,
      ]
      for (const markdown of places) {
        const html = toHtml(markdown)
        expect(html, markdown).contain(safe)
        expect(html.replace('<title>', ''), markdown).not.contain('<script')
      }
      expect(bodyOf('[x](/a"onclick="b)')).equal('<p><a href="/a&quot;onclick=&quot;b">x</a></p>')
    })
  })
})
