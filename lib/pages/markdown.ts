/** Converts Markdown pages of docs/ to HTML. HTML in the Markdown is shown as text. */
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../text/html.ts'
import { Html } from './html.ts'

interface MarkdownOptions {
  /** Number of levels by which headings are lowered; default: 0. */
  readonly below?: number
}

/** The body of a page, with links and unchanged headings. */
export function markdownBody(markdown: string): string {
  return linked.parse(markdown, { async: false }).trimEnd()
}

/** A part of a page. Links are shown as text, because browsers cannot open files of the repository. */
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
    // Without these tokenizers, HTML is text, which is escaped.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      image: ({ text }) => escapeHtml(text),
      // In a part of a page, the block scrolls by itself and must be focusable by the keyboard.
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
        // A header cell without text is a plain cell.
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

/** True for links to this gateway and to web pages. Other schemes, such as `javascript:`, could run code. */
function isSafe(href: string): boolean {
  return /^https?:$/.test(URL.parse(href, 'http://localhost/')?.protocol ?? '')
}
