/** Markdown pages of docs/ as HTML. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../../lib/plugin.ts'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}pre,code{background:#f3f3f3}pre{padding:.7em;overflow:auto}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}table{border-collapse:collapse}'

/** A page whose title is its first heading. HTML in the text is shown as text. */
export function toHtml(markdown: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Documentation'
  const body = pages.parse(markdown, { async: false }).trimEnd()
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style>${body}</html>\n`
}

const pages = new Marked({
  // Without these, HTML is no syntax but text, which is escaped.
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    image: ({ text }) => escapeHtml(text),
    code: ({ text }) => `<pre>${escapeHtml(text)}</pre>\n`,
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return isSafe(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text
    },
    list({ items, ordered }) {
      const tag = ordered ? 'ol' : 'ul'
      return `<${tag}>${items.map(item => `<li>${this.parser.parse(item.tokens).trimEnd()}</li>`).join('')}</${tag}>\n`
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      return `<table>${row(header, 'th')}${rows.map(cells => row(cells, 'td')).join('')}</table>\n`
    },
  },
})

/** Links lead to this gateway or to a web page: no scheme that a browser would run. */
function isSafe(href: string): boolean {
  return /^https?:$/.test(URL.parse(href, 'http://localhost/')?.protocol ?? '')
}
