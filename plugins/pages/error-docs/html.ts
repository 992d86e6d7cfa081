const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * The Markdown that our own pages use, as HTML: headings, paragraphs, lists, tables, code and links. Not for anybody
 * else's text.
 */
export function toHtml(markdown: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Documentation'
  const blocks = markdown.trim().split(/\n{2,}/)
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}pre,code{background:#f3f3f3}pre{padding:.7em;overflow:auto}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}table{border-collapse:collapse}'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style>${joinFences(blocks).map(block).join('\n')}</html>\n`
}

/** A code fence may hold blank lines: its pieces belong together. */
function joinFences(blocks: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const part of blocks) {
    const last = joined.at(-1)
    if (last?.startsWith('```') && !last.endsWith('\n```')) joined[joined.length - 1] = `${last}\n\n${part}`
    else joined.push(part)
  }
  return joined
}

function block(text: string): string {
  const heading = /^(#{1,3}) (.+)$/.exec(text)
  if (heading !== null) return `<h${heading[1]!.length}>${inline(heading[2]!)}</h${heading[1]!.length}>`
  if (text.startsWith('```')) return `<pre>${escapeHtml(text.replace(/^```.*\n|\n```$/g, ''))}</pre>`
  const lines = text.split('\n')
  if (lines.every(line => line.startsWith('|'))) return table(lines)
  if (lines[0]!.startsWith('- '))
    return `<ul>${text
      .split(/^- /m)
      .slice(1)
      .map(item => `<li>${inline(item.trim())}</li>`)
      .join('')}</ul>`
  return `<p>${inline(text)}</p>`
}

function table(lines: readonly string[]): string {
  const rows = lines.filter(line => !/^\|[\s|:-]+\|$/.test(line)).map(line => line.slice(1, -1).split('|'))
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`
  return `<table>${rows.map((cells, i) => row(cells, i === 0 ? 'th' : 'td')).join('')}</table>`
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => ESCAPES[character]!)
}
