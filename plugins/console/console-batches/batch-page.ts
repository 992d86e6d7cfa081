/** The page of one batch: its progress, files, price and problems. */
import {
  type Batch,
  type Html,
  hasEnded,
  html,
  htmlFacts,
  htmlTable,
  idHtml,
  moneyHtml,
  type OwnAccount,
} from '../../../lib/console.ts'
import { centsOf } from '../../../lib/plugin.ts'
import { countText, windowText } from '../numbers.ts'
import { requestsHref } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'
import { modelLink, PATH } from './list-page.ts'
import { endText, millisHtml, progress, statusOf } from './parts.ts'

interface BatchPage {
  readonly visitor: Visitor
  readonly account: OwnAccount
  readonly batch: Batch
  /** Milliseconds since the epoch; null: unknown. */
  readonly expectedEnd: number | null
  /** Micro-cents of the requests so far; null: none has a price. */
  readonly cost: number | null
  readonly currency: string
}

export function batchPage(page: BatchPage): Html {
  const { visitor, account, batch, expectedEnd, cost, currency } = page
  const { id, counts, usage, status } = batch
  const list = requestsHref({ account: account.id, batch: id, since: '30d' })
  const failures = requestsHref({ account: account.id, batch: id, errors: '1', since: '30d' })
  const isRunning = !hasEnded(status)
  return html`<p><a href="${PATH}?account=${account.id}">All batches</a></p>
<div class="row">${counts.total > 0 && html`<span>${progress(batch)} requests have ended</span>`}${isRunning && cancelForm(page)}</div>
<dl class="cards">
${card('State', statusOf(batch), isRunning ? html`expires ${millisHtml(batch.expiresAt)}` : undefined, 'fact')}
${isRunning && card('Expected end', endText(expectedEnd), 'at the rate of the last ten minutes')}
${card('Completed', countText(counts.completed), `of ${countText(counts.total)} requests`)}
${card('Failed', counts.failed === 0 ? '0' : html`<a href="${failures}"><span class="error">${countText(counts.failed)}</span></a>`)}
${counts.expired > 0 && card('Not run: expired', countText(counts.expired))}
${counts.cancelled > 0 && card('Not run: cancelled', countText(counts.cancelled))}
${card('Price', cost === null ? '–' : moneyHtml(centsOf(cost), currency), isRunning ? 'so far' : undefined)}
${card('Output tokens', countText(usage.outputTokens), `${countText(usage.inputTokens)} input tokens, ${countText(usage.cachedTokens)} of them from the cache`)}
</dl>
${problems(batch)}
<h2>Files</h2>
${files(page)}
${
  counts.total > 0 &&
  html`<h2>Requests</h2>
<p><a href="${list}">The requests of this batch</a>, each with its times and its cost.</p>`
}
<h2>Facts</h2>
${htmlFacts(factsOf(page))}
${visitor.user !== batch.user && html`<p class="soft">Created by ${batch.user}.</p>`}`
}

/** `kind`: `fact` for a value that is no number. */
function card(name: string, value: Html | string, more?: Html | string, kind: 'fact' | 'number' = 'number'): Html {
  return html`<div class="card"><dt>${name}</dt><dd${kind === 'fact' && html` class="fact"`}>${value}${more !== undefined && html`<small>${more}</small>`}</dd></div>`
}

function cancelForm({ visitor, account, batch }: BatchPage): Html | false {
  if (batch.status === 'cancelling') return false
  return html`<form method="post" action="${PATH}/${batch.id}/cancel?account=${account.id}">${tokenField(visitor)}<button class="danger">Cancel</button></form>`
}

function problems({ problems: found }: Batch): Html | false {
  if (found.length === 0) return false
  const rows = found.map(({ line, code, param, message }) => [
    line === null ? '–' : String(line),
    html`<code>${code}</code>`,
    param ?? '–',
    html`<span class="prose">${message}</span>`,
  ])
  return html`<h2>Why the file was refused</h2>
${htmlTable('The first problems; nothing was run or charged', ['Line#', 'Code', 'Field', 'Problem'], rows)}`
}

function files({ account, batch }: BatchPage): Html {
  const { id, api, status, outputFileId, errorFileId } = batch
  const link = (file: string, text: string) =>
    html`<li><a href="${PATH}/${id}/${file}?account=${account.id}" download>${text}</a></li>`
  if (api === 'anthropic') {
    if (!hasEnded(status)) return html`<p>The results follow when the batch has ended.</p>`
    return html`<ul>${link('results', 'Results')}</ul>`
  }
  return html`<ul>${link('input', 'Input')}
${outputFileId !== null && link('output', 'Output: requests that succeeded')}
${errorFileId !== null && link('errors', 'Errors: requests that failed or did not run')}</ul>
${!hasEnded(status) && html`<p class="soft">Output and errors follow when the batch has ended.</p>`}`
}

function factsOf({ account, batch }: BatchPage): (readonly [string, Html | string])[] {
  const times = [
    ['Created', batch.createdAt],
    ['Started', batch.inProgressAt],
    ['Cancelled by its owner or an operator', batch.cancellingAt],
    ['Ended', batch.completedAt ?? batch.failedAt ?? batch.expiredAt ?? batch.cancelledAt],
  ] as const
  return [
    ['Id', idHtml(batch.id)],
    ['Account', html`<a href="/console?account=${account.id}">${account.name}</a>`],
    ['Endpoint', html`<code>${batch.endpoint}</code>`],
    ['Model', batch.model === null ? 'several, or not known yet' : modelLink(account, batch.model)],
    ['At most within', windowText(batch.window)],
    ...times.flatMap(([name, at]) => (at === null ? [] : [[name, millisHtml(at)] as const])),
    ...Object.entries(batch.metadata ?? {}).map(([name, value]) => [`Metadata: ${name}`, value] as const),
  ]
}
