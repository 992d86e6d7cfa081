import { readdirSync, readFileSync } from 'node:fs'
import { definePlugin, ERRORS, fail } from '../../../lib/plugin.ts'
import { toHtml } from './html.ts'

const folder = new URL('../../../docs/errors/', import.meta.url)

/** Every page of docs/errors, read at boot: a few kilobytes, and no request ever names a file. */
function readPages(): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter(name => name.endsWith('.md'))
  return new Map(names.map(name => [name.slice(0, -3), toHtml(readFileSync(new URL(name, folder), 'utf8'))]))
}

export default definePlugin({
  name: 'error-docs',
  summary: 'Serves the pages that error.docs_url points to.',
  routes: { route: ['error-docs', 'error-docs-index'] },

  setup() {
    const pages = readPages()
    const list = Object.keys(ERRORS).map(code => `- [${code}](/docs/errors/${code})`)
    const index = toHtml(`# Error codes\n\n${list.join('\n')}\n`)
    return {
      onHeaders(exchange) {
        const { code } = exchange.params
        const page = code === undefined ? index : pages.get(code)
        if (page === undefined) fail('http_404', { problem: 'There is no such error code. All of them: /docs/errors' })
        exchange.reply(200, page, 'text/html; charset=utf-8')
      },
    }
  },
})
