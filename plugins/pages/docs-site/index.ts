import { acceptsHtml } from '../../../lib/console.ts'
import { definePlugin, fail, type HeadersPhase } from '../../../lib/plugin.ts'
import { readSite, type Site, type SiteFile, sendFile, sendMissing } from '../site.ts'

export default definePlugin({
  name: 'docs-site',
  summary: 'Serves the documentation site at /docs/.',
  routes: { route: ['docs', 'docs-home', 'docs-page'] },

  setup(_options, { config }) {
    if (!config.docs) return {}
    const site = readSite()
    return {
      async onHeaders(exchange) {
        const { path = '' } = exchange.params
        // The pages of error codes are those of error-docs, which also knows the codes of plugins.
        if (exchange.route.name === 'docs' || path === 'errors/') return redirect(exchange, path)
        const file = fileAt(site, path)
        if (file !== undefined) return sendFile(exchange, site, file)
        if (site.files.has(`${path}/index.html`)) return redirect(exchange, `${path}/`)
        if (acceptsHtml(exchange.headers))
          return sendMissing(
            exchange,
            site,
            '<p>The documentation has no such page. Its paths are in small letters.</p>',
          )
        fail('http_404', { problem: 'The documentation has no such page. Its first page: /docs/' })
      },
    }
  },
})

/** `''`: the first page; `api/`: that of a folder; `api/models`: a page; `assets/app.js`: a file. */
function fileAt({ files }: Site, path: string): SiteFile | undefined {
  if (path === '' || path.endsWith('/')) return files.get(`${path}index.html`)
  return files.get(path) ?? files.get(`${path}.html`)
}

function redirect(exchange: Pick<HeadersPhase, 'reply' | 'setHeader'>, path: string): void {
  exchange.setHeader('location', path === 'errors/' ? '/docs/errors' : `/docs/${path}`)
  exchange.reply(308, '', 'text/plain; charset=utf-8')
}
