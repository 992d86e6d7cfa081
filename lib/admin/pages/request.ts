/** The page of one request: where its time went, its attempts, advice on its error, and all its facts. */
import { existsSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../base/json.ts'
import { errorTitle } from '../../errors/titles.ts'
import { type Html, html } from '../../pages/html.ts'
import { loadMarkdown } from '../../pages/load-markdown.ts'
import { idHtml } from '../../pages/parts.ts'
import type { PageRoute } from './page.ts'
import { attemptTable, resultText } from './request-attempts.ts'
import { factList } from './request-facts.ts'
import { timeline } from './request-times.ts'
import { operatorRemedy } from './runbook.ts'
import { decoded, requestsHref, textOf } from './text.ts'

const FOLDER = new URL('../../../docs/errors/', import.meta.url)

export const requestRoute: PageRoute = {
  method: 'GET',
  path: '/requests/{id}',
  async handle({ params, call, config }) {
    const request = await call('request', { params: { id: decoded(params.id!) } })
    const body = html`<p class="row">${idHtml(textOf(request.request_id))} <a href="/requests">All requests</a> <a href="${requestsHref({ around: textOf(request.created_at) })}">Requests of that minute</a></p>
${errorNote(request)}
${timeline(request)}
${attemptTable(request)}
${await remedies(request)}
<h2>Details</h2>
<p class="soft">Facts, never content. Point at a name for that of the member in the API.</p>
${factList(request, config)}`
    return { title: `Request ${textOf(request.request_id)}`, path: '/requests', body }
  },
}

/** The code of the error before the response, or inside the stream; undefined: there was none. */
function codeOf({ error_code: code, stream_error_type: broken }: JsonObject): string | undefined {
  const either = code ?? broken
  return typeof either === 'string' ? either : undefined
}

function errorNote(request: JsonObject): Html | null {
  const code = codeOf(request)
  const reason = request.upstream_error
  if (code === undefined && typeof reason !== 'string') return null
  const title = code !== undefined ? errorTitle(code) : 'The backend failed'
  const { error_message: message } = request
  return html`<h2>What went wrong</h2>
<div class="note bad"><p><strong>${title}</strong>${code !== undefined && html` <code>${code}</code>`}</p>
${typeof message === 'string' && html`<p>${message}</p>`}${typeof reason === 'string' && html`<p>The backend: ${resultText({ reason })}</p>`}</div>`
}

/** What clients and operators can do about the error. */
async function remedies(request: JsonObject): Promise<Html | null> {
  const code = codeOf(request)
  const advice = code === undefined ? null : await adviceOn(code)
  return html`${advice !== null && html`<h2>Advice on ${code!}</h2>`}
${advice}
${await operatorRemedy(request)}`
}

/** The documentation of an error. A plugin of an operator may declare a code that has no page here. */
async function adviceOn(code: string): Promise<Html | null> {
  if (!/^[a-z0-9_]+$/.test(code)) return null
  const file = new URL(`${code}.md`, FOLDER)
  if (!existsSync(file)) return null
  const { markdownHtml } = await loadMarkdown()
  const text = readFileSync(file, 'utf8').split('\n## Example')[0]!
  return html`<div class="panel" role="region" aria-label="Documentation of ${code}" tabindex="0">${markdownHtml(text.replace(/^# .*\n/, ''), { below: 1 })}</div>`
}
