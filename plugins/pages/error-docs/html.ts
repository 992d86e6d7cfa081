/** Renders pages of docs/ for clients. Loaded for the first page, with the Markdown parser. */
import { escapeHtml, loadMarkdown } from '../../../lib/console.ts'
import type { Site } from '../site.ts'

const { markdownBody } = await loadMarkdown()

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;background:light-dark(#f5f7f9,#0f1318);color:light-dark(#161c24,#e5eaf0)}
a{color:light-dark(#0a5fa8,#7cbcf7)}
h1{font-size:1.375rem;overflow-wrap:anywhere}h2{font-size:1.125rem}
pre,td,th{background:light-dark(#fff,#161b21);border:1px solid light-dark(#d9dfe6,#2e3640)}
code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace;padding:.75rem;overflow:auto;border-radius:.5rem}pre code{font:inherit;overflow-wrap:normal}
table{border-collapse:collapse}td,th{padding:.3rem .75rem;text-align:left;vertical-align:top}thead:not(:has(th:not(:empty))){display:none}`

/** A page whose title is its first heading, where no other page of docs/ is served. HTML in the Markdown is escaped. */
export function toHtml(source: string): string {
  const markdown = source.replace(/\[([^\]\n]*)\]\(([\w./-]+)\.md(?:#[\w-]*)?\)/g, (_, text: string, target: string) =>
    target.includes('/') ? text : `[${text}](/docs/errors/${target})`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${titleOf(markdown)}</title><style>${STYLE}</style>${markdownBody(markdown)}</html>\n`
}

/** An error page in the look of the documentation site. */
export function toSiteHtml(markdown: string, { frame }: Site): string {
  return frame(`${titleOf(markdown)} | Sluiceway`, markdownBody(markdown))
}

function titleOf(markdown: string): string {
  return escapeHtml(/^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Documentation')
}
