/** The remedies of operators: the sections of docs/RUNBOOK.md about an error. */
import { existsSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { loadMarkdown } from '../../pages/load-markdown.ts'

const FILE = new URL('../../../docs/RUNBOOK.md', import.meta.url)

/** Headings by error code. Other errors are for clients to correct. */
const SECTIONS: Readonly<Record<string, string>> = {
  no_healthy_backends: 'A model has no backend',
  backend_connect_error: 'A backend is down',
  backend_http_error: 'A backend is down',
  backend_timeout: 'Which backend is slow',
  backend_at_capacity: 'A model is full',
  backend_overloaded: 'A model is full',
  gateway_overloaded: 'Bodies need more memory',
  request_memory_exceeded: 'Bodies need more memory',
  internal_error: 'The gateway itself fails',
}

const BROKEN = 'Streams break'

/** The heading of the section for a failed request; undefined: there is none. */
export function runbookSection({ error_code: code, stream_error_type: broken }: JsonObject): string | undefined {
  if (typeof broken === 'string' && broken !== 'shutting_down') return BROKEN
  return typeof code === 'string' ? SECTIONS[code] : undefined
}

/** The section, folded. null: the request needs no operator. */
export async function operatorRemedy(request: JsonObject): Promise<Html | null> {
  const heading = runbookSection(request)
  const text = heading === undefined || !existsSync(FILE) ? undefined : sectionOf(readFileSync(FILE, 'utf8'), heading)
  if (text === undefined) return null
  const { markdownHtml } = await loadMarkdown()
  return html`<details><summary>Runbook for operators: ${heading!}</summary>
<div class="panel">${markdownHtml(text, { below: 1 })}</div></details>`
}

/** The text below a heading of the second level. */
function sectionOf(markdown: string, heading: string): string | undefined {
  const sections = markdown.split(/^## /m)
  return sections.find(section => section.startsWith(`${heading}\n`))?.slice(heading.length)
}
