/** Renders pages of docs/ for clients. Loaded for the first page, with the Markdown parser. */
import { escapeHtml, loadMarkdown } from '../../../lib/console.ts'
import type { Site } from '../site.ts'

const { markdownBody } = await loadMarkdown()

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}pre,code{background:#f3f3f3}pre{padding:.7em;overflow:auto}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}table{border-collapse:collapse}'

/** A page whose title is its first heading. HTML in the Markdown is escaped. */
export function toHtml(markdown: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${titleOf(markdown)}</title><style>${STYLE}</style>${markdownBody(markdown)}</html>\n`
}

/** An error page in the look of the documentation site. */
export function toSiteHtml(markdown: string, { frame }: Site): string {
  return frame(`${titleOf(markdown)} | Sluiceway`, markdownBody(markdown))
}

function titleOf(markdown: string): string {
  return escapeHtml(/^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Documentation')
}
