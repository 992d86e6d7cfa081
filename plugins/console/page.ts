/** HTML pages: without scripts and external resources; forms post to this gateway only. */
import { escapeHtml } from '../../lib/plugin.ts'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}code{background:#f3f3f3}'

export const HTML = 'text/html; charset=utf-8'

/** Response headers of a page that belongs to one person. */
export const PERSONAL: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** `title` is text, `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  const shown = escapeHtml(title)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${shown}</title>
<style>${STYLE}</style>
<h1>${shown}</h1>${body}</html>
`
}
