import { readdirSync, readFileSync } from 'node:fs'
import { definePlugin, fail, type Services } from '../../../lib/plugin.ts'

const folder = new URL('../../../docs/errors/', import.meta.url)

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

  setup(_options, { errors }) {
    const pages = readPages()
    const list = Object.keys(errors).map(code => `- [${code}](/docs/errors/${code})`)
    const index = `# Error codes\n\n${list.join('\n')}\n`
    /** HTML by Markdown. */
    const rendered = new Map<string, string>()
    return {
      async onHeaders(exchange) {
        const { code } = exchange.params
        const page = code === undefined ? index : (pages.get(code) ?? declaredPage(code, errors))
        if (page === undefined) fail('http_404', { problem: 'There is no such error code. All of them: /docs/errors' })
        // Loaded for the first page, because the Markdown parser would delay every start.
        const { toHtml } = await import('./html.ts')
        const html = rendered.get(page) ?? toHtml(page)
        rendered.set(page, html)
        exchange.reply(200, html, 'text/html; charset=utf-8')
      },
    }
  },
})
