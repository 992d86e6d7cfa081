import { readdirSync, readFileSync } from 'node:fs'
import { acceptsHtml } from '../../../lib/console.ts'
import { definePlugin, fail, type Services } from '../../../lib/plugin.ts'
import { readSite, sendFile, sendMissing } from '../site.ts'

const folder = new URL('../../../docs/errors/', import.meta.url)

const TO_LIST = '\n[All error codes](/docs/errors)\n'

/** Reads all pages of docs/errors at start: a few kilobytes, and no request can name a file. */
function readPages(): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter(name => name.endsWith('.md'))
  return new Map(names.map(name => [name.slice(0, -3), readFileSync(new URL(name, folder), 'utf8')]))
}

/** The page of a code that a plugin outside of this repository declares; undefined: there is no such code. */
function declaredPage(code: string, errors: Services['errors']): string | undefined {
  if (!Object.hasOwn(errors, code)) return undefined
  const [status, type, message] = errors[code]!
  return `# \`${code}\`

A plugin of this gateway refuses a request with this code.

| | |
| - | - |
| Status | ${status} |
| Type | \`${type}\` |
| Message | \`${message}\` |
`
}

export default definePlugin({
  name: 'error-docs',
  summary: 'Serves the pages that error.docs_url points to.',
  routes: { route: ['error-docs', 'error-docs-index'] },

  setup(_options, { config, errors }) {
    const pages = readPages()
    const list = Object.keys(errors).map(code => `- [${code}](/docs/errors/${code})`)
    const index = `# Error codes\n\n${list.join('\n')}\n`
    const site = config.docs ? readSite() : null
    const isOnSite = (path: string) => site?.files.has(path) === true
    const hasDeclared = Object.keys(errors).some(code => !isOnSite(`errors/${code}.html`))
    /** HTML by Markdown, in the look of the site and without it. */
    const rendered = { site: new Map<string, string>(), plain: new Map<string, string>() }
    return {
      async onHeaders(exchange) {
        const { code } = exchange.params
        const page = code === undefined ? index : (pages.get(code) ?? declaredPage(code, errors))
        if (page === undefined && site !== null && exchange.surface !== 'dedicated' && acceptsHtml(exchange.headers))
          return sendMissing(
            exchange,
            site,
            '<p>There is no such error code: <a href="/docs/errors">all error codes</a>.</p>',
          )
        if (page === undefined) fail('http_404', { problem: 'There is no such error code. All of them: /docs/errors' })
        // The host of a dedicated endpoint has no files of the site.
        const look = site === null || exchange.surface === 'dedicated' ? 'plain' : 'site'
        if (look === 'site') {
          // The list of the site lacks the codes that plugins declare.
          const file = site!.files.get(`errors/${code ?? (hasDeclared ? '' : 'index')}.html`)
          if (file !== undefined) return sendFile(exchange, site!, file)
          for (const [name, value] of Object.entries(site!.headers)) exchange.setHeader(name, value)
        }
        // Loaded for the first page, because the Markdown parser would delay every start.
        const { toHtml, toSiteHtml } = await import('./html.ts')
        const html =
          rendered[look].get(page) ??
          (look === 'site' ? toSiteHtml(page, site!) : toHtml(code === undefined ? page : page + TO_LIST))
        rendered[look].set(page, html)
        exchange.reply(200, html, 'text/html; charset=utf-8')
      },
    }
  },
})
