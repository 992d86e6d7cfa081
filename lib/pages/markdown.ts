/** Markdown pages of docs/ as HTML. HTML in the text is shown as text. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../text/html.ts'
import { Html } from './html.ts'

export interface MarkdownOptions {
  /** Headings are this many levels lower than in the text; default: 0. */
  readonly below?: number
}

/** The body of a page with links, whose headings are as in the text. */
export function markdownBody(markdown: string): string {
  return linked.parse(markdown, { async: false }).trimEnd()
}

/** A part of a page. Links lead to files of the repository, which browsers cannot follow: their text alone is shown. */
export function markdownHtml(markdown: string, { below = 0 }: MarkdownOptions = {}): Html {
  return new Html(partOf(below).parse(markdown, { async: false }).trimEnd())
}

const linked = marked(0, true)
const parts = new Map<number, Marked>()

function partOf(below: number): Marked {
  const known = parts.get(below)
  if (known !== undefined) return known
  const made = marked(below, false)
  parts.set(below, made)
  return made
}

function marked(below: number, withLinks: boolean): Marked {
  return new Marked({
    // Without these, HTML is no syntax but text, which is escaped.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      image: ({ text }) => escapeHtml(text),
      // In a part of a page a block scrolls by itself, which the keyboard must reach.
      code: ({ text }) => `<pre${withLinks ? '' : ' tabindex="0"'}>${escapeHtml(text)}</pre>\n`,
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + below)
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        return withLinks && isSafe(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text
      },
      list({ items, ordered }) {
        const tag = ordered ? 'ol' : 'ul'
        return `<${tag}>${items.map(item => `<li>${this.parser.parse(item.tokens).trimEnd()}</li>`).join('')}</${tag}>\n`
      },
      table({ header, rows }) {
        // A head without text is none.
        const cell = ({ text, tokens }: Tokens.TableCell, tag: 'th' | 'td') => {
          const name = text === '' ? 'td' : tag
          return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
        }
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(one => cell(one, tag)).join('')}</tr>`
        const head = header.every(({ text }) => text === '') ? '' : row(header, 'th')
        return `<table>${head}${rows.map(cells => row(cells, 'td')).join('')}</table>\n`
      },
    },
  })
}

/** Links lead to this gateway or to a web page: no scheme that a browser would run. */
function isSafe(href: string): boolean {
  return /^https?:$/.test(URL.parse(href, 'http://localhost/')?.protocol ?? '')
}
