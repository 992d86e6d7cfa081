/**
 * HTML pages of the console: one frame, without scripts and external resources; forms post to this gateway only. Times are UTC.
 */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/plugin.ts'

/** Colours follow the browser (light, dark), wide tables scroll by themselves, so that a phone shows the rest of the page whole. */
const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;padding:0}
nav a,button,select{min-height:2.75rem;display:inline-flex;align-items:center;font:inherit}
button{padding:0 1rem}
[aria-current]{font-weight:bold}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.5rem .75rem .5rem 0;border-bottom:1px solid GrayText;white-space:nowrap}
.wide{overflow-x:auto}
pre{overflow-x:auto;border:1px solid GrayText;padding:.75rem}
form{margin:.5rem 0}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`

export const HTML = 'text/html; charset=utf-8'

/** Response headers of a page that belongs to one person. The one style sheet is allowed by its hash. */
export const PERSONAL: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
}

/** The pages that the navigation leads to. */
const PAGES = [
  ['/console', 'Console'],
  ['/console/keys', 'Keys'],
] as const

/** Path of a page with navigation; null: nobody is signed in. */
export type PagePath = (typeof PAGES)[number][0] | null

/** `title` is text, `body` is HTML. */
export function htmlPage(title: string, body: string, path: PagePath = null): string {
  const shown = escapeHtml(title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown}</title>
<style>${STYLE}</style>
</head>
<body>
${path === null ? '' : navigation(path)}<main>
<h1>${shown}</h1>
${body}
</main>
</body>
</html>
`
}

function navigation(current: string): string {
  const links = PAGES.map(
    ([path, name]) => `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a></li>`,
  )
  return `<header><nav aria-label="Console"><ul>${links.join('')}</ul></nav></header>\n`
}

/** A table that scrolls by itself where it is wider than the screen. `caption` and `heads` are text, cells are HTML. */
export function htmlTable(caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map(text => `<th scope="col">${escapeHtml(text)}</th>`).join('')
  const body = rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  const name = escapeHtml(caption)
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table><caption>${name}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}
