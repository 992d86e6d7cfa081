/** Content of the page `/design` of the operators' port: the tokens and components of all pages, in every state. */
import { confirmForm, doneNote } from '../lib/pages/actions.ts'
import { type Column, chosenColumns, columnForm, columnTable } from '../lib/pages/columns.ts'
import { Html, type HtmlValue, html } from '../lib/pages/html.ts'
import { moneyHtml } from '../lib/pages/money.ts'
import {
  addressHtml,
  chips,
  emptyState,
  filterBox,
  htmlBadge,
  htmlFacts,
  htmlMenu,
  htmlMeter,
  htmlStats,
  htmlTabs,
  idHtml,
  liveBar,
  timeHtml,
} from '../lib/pages/parts.ts'
import { sortingOf } from '../lib/pages/sorting.ts'
import { htmlSparkline, htmlStrip } from '../lib/pages/sparkline.ts'
import { htmlPlot, htmlTable } from '../lib/pages/table.ts'
import { htmlWaterfall, type Span } from '../lib/pages/waterfall.ts'

const COLOURS = [
  'back surface panel line field text soft',
  'link bad bad-back good good-back warn warn-back',
  'series-1 series-2 series-3 series-4 series-5 series-6',
]
const SPACES = [1, 2, 3, 4, 6, 8]
const TYPES = (
  [
    ['small', 12, 'captions, heads of tables, units'],
    ['table', 13, 'cells, labels of fields'],
    ['text', 14, 'text, buttons'],
    ['stat', 20, 'numbers of cards; 18 px on a phone'],
    ['title', 22, 'the heading of a page'],
  ] as const
).map(([name, size, use]) => [
  html`<code>type-${name}</code>`,
  `${size} px`,
  html`<span class="type-${name}">${use}</span>`,
])

const URL_UP = 'http://127.0.0.1:22107/v1'
const URL_DOWN = 'http://vllm-0.vllm.models.svc.cluster.local:8000/v1'
const START_S = 1_800_000_000

const SPANS: readonly Span[] = [
  { name: 'Gateway', kind: 'gateway', from: 0, to: 20, what: 'key, limits and checks' },
  { name: 'Queue', kind: 'wait', from: 20, to: 220, what: 'until a backend had room' },
  { name: html`Attempt 1: ${addressHtml(URL_DOWN)}`, kind: 'failed', from: 220, to: 340, what: 'no connection' },
  { name: html`Attempt 2: ${addressHtml(URL_UP)}`, kind: 'attempt', from: 345, to: 1390, what: 'answered' },
  { name: 'First byte', kind: 'backend', from: 345, to: 600, isPart: true },
  { name: 'First token', kind: 'first', from: 600, to: 680, isPart: true },
  { name: 'Tokens', kind: 'tokens', from: 680, to: 1390, isPart: true },
]

export function designPage(): Html {
  return html`<p>All pages consist of these parts. Their functions are in <code>lib/pages</code>, their styles in <code>lib/pages/browser/shared</code>.</p>
<h2>Colour</h2>
${COLOURS.map(names => html`<ul class="swatches">${names.split(' ').map(swatch)}</ul>`)}
<h2>Space and type</h2>
${htmlTable('Spaces', ['Token', 'Size', 'Example'], SPACES.map(spaceRow))}
${htmlTable('Sizes of text', ['Token', 'Size', 'Use'], TYPES)}
<h2>Stats</h2>
${htmlStats([
  { name: 'Requests', value: '12,345', more: 'in the last 24 hours', href: '/requests' },
  { name: 'Spend', value: moneyHtml(1234.567, 'USD'), more: 'this month' },
  { name: 'Store', value: html`<span class="error">does not answer</span>`, more: 'postgres' },
  { name: 'In flight', value: html`12 of 64${htmlMeter(12, 64)}` },
])}
<h2>Facts</h2>
${htmlFacts([
  ['Id', idHtml('req_4478155852e0')],
  ['Model', 'llama-3.3-70b-instruct'],
  ['Charged', moneyHtml(0.0123, 'USD')],
  ['Streamed', 'yes'],
])}
<h2>Badges</h2>
<p class="row">${htmlBadge('draft')}${htmlBadge('active', 'good')}${htmlBadge('draining', 'warn')}${htmlBadge('refused', 'error')}</p>
<h2>Tabs</h2>
<div>${htmlTabs(
    'Parts of an account',
    [
      ['Overview', '/design'],
      ['Keys', '/design'],
    ],
    'Overview',
  )}</div>
<h2>Menu</h2>
${htmlMenu('Actions', [
  html`<a class="button" href="/design">Limits</a>`,
  html`<form action="/design"><button>Disable</button></form>`,
  html`<form action="/design"><button class="danger">Revoke</button></form>`,
])}
<h2>Table</h2>
<p>A head with a link sorts; the address keeps the order. A cookie of the page keeps the chosen columns.</p>
${table()}
<h2>Plot</h2>
<p>In a cell: ${htmlSparkline([1, 3, 2, null, 4, 6, 5], '1, 3, 2, –, 4, 6, 5')} <small>max. 6</small></p>
${strips()}
<div class="plots"><section><h3>Time to the first token</h3>${plot()}</section><section><h3>Tokens by day</h3>${dayPlot()}</section></div>
<h2>Waterfall</h2>
${htmlWaterfall({ caption: 'Every kind of span', spans: SPANS, total: 1400 })}
<h2>Form</h2>
${chips('Status', [
  ['All', '/design', true],
  ['Errors', '/design', false],
])}
${filterBox(form())}
<h2>Empty state</h2>
${emptyState('No requests in the last 24 hours', html`A request with a key of this account appears here a second after its end.`)}
<h2>Notes</h2>
<p class="note">A fact about the page.</p>
<p class="note bad">Nothing was changed. The label must have at most 100 characters.</p>
${doneNote('Key ci (key_1) is disabled: it is refused until it is enabled.', html`<form action="/design"><button>Undo</button></form>`)}
<h2>Dialog</h2>
${confirmForm({ text: 'The key never works again. You cannot undo this.', action: '/design', button: 'Revoke', cancel: '/design', form: new URLSearchParams() })}
<h2>Live page</h2>
${new Html(liveBar().toString().replace(' hidden', ''))}
<p>Without script, a page is not live and has no bar.</p>`
}

function spaceRow(size: number): HtmlValue[] {
  const bar = html`<svg width="${size * 4}" height="12" aria-hidden="true"><rect width="100%" height="100%" fill="var(--series-1)"></rect></svg>`
  return [html`<code>space-${size}</code>`, `${size * 4} px`, bar]
}

function swatch(name: string): Html {
  return html`<li><svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true"><rect width="11" height="11" fill="var(--${name})"></rect></svg><code>${name}</code></li>`
}

interface Row {
  readonly at: string
  readonly key: string
  readonly url: string
  readonly problem: string | null
  readonly tokens: number
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'time', head: 'Time', cell: ({ at }) => timeHtml(at), value: ({ at }) => at, shown: 'always' },
  {
    ...{ name: 'state', head: 'State', shown: 'always' },
    cell: ({ problem }) => (problem === null ? 'up' : html`<span class="error">down</span>`),
  },
  { name: 'key', head: 'Key', cell: ({ key }) => idHtml(key) },
  { name: 'backend', head: 'Backend', cell: ({ url }) => addressHtml(url), value: ({ url }) => url },
  { name: 'ttft', head: 'TTFT p95#', cell: () => '≤ 250 ms' },
  { name: 'tokens', head: 'Tokens#', cell: ({ tokens }) => tokens.toLocaleString('en'), value: ({ tokens }) => tokens },
  { name: 'client', head: 'Client', cell: () => 'curl', shown: 'extra' },
]

function table(): Html {
  const rows: readonly Row[] = [
    { at: new Date().toISOString(), key: 'key_3f2a91c04b7d', url: URL_UP, problem: null, tokens: 12_345 },
    {
      ...{ at: '2026-11-01T04:05:06.000Z', key: 'key_88d1f00a4c5e', url: URL_DOWN, tokens: 0 },
      problem: 'connect ECONNREFUSED 10.0.3.7:8000, since 04:05',
    },
  ]
  const query = new URLSearchParams({ sort: 'tokens', order: 'desc' })
  const sorting = sortingOf({ path: '/design', query, columns: COLUMNS })
  if (typeof sorting === 'string') throw new Error(sorting)
  const shown = chosenColumns({ path: '/design', brand: 'service' }, COLUMNS, {})
  const detail = ({ problem }: Row) => problem
  return html`${columnForm({ path: '/design' }, COLUMNS, shown, query, html``)}
${columnTable('Every kind of cell, and a problem below its row', shown, rows, { sorting, detail })}`
}

function strips(): Html {
  const rows = [
    { url: URL_UP, text: '2.6 / 8', values: [1, 3, 2, null, 4, 2, 3] },
    { url: URL_DOWN, text: '7.1 / 8', values: [2, 6, 8, null, 8, null, 8] },
  ].map(({ url, text, values }) => {
    const plot = htmlSparkline(values, `${text}, at most ${Math.max(...values.map(Number))}`, { top: 8, bound: 8 })
    return [addressHtml(url), htmlStrip('/design', text, plot)]
  })
  return htmlTable(
    'Rows that are compared. The plots of a column have the same scale.',
    ['Backend', 'In flight#'],
    rows,
  )
}

function plot(): Html {
  const times = Array.from({ length: 240 }, (_, at) => START_S + at * 5)
  const values = times.map((_, at) => (at > 90 && at < 140 ? null : 200 + 80 * Math.sin(at / 9)))
  const series = [
    { label: 'p95', values: values.map(value => (value === null ? null : value + (value > 240 ? 90 : 0))), wide: true },
    { label: 'p50', values },
  ]
  const marks = [
    { at: START_S + 300, text: 'reload' },
    { at: START_S + 450, text: 'ejected', kind: 'bad' },
    { at: START_S + 800, text: 'drain', kind: 'warn' },
  ] as const
  return htmlPlot({ label: 'Time to the first token, an example', times, series, shape: 'line', unit: 'ms', marks })
}

function dayPlot(): Html {
  const times = Array.from({ length: 30 }, (_, at) => START_S - (START_S % 86_400) + at * 86_400)
  const series = [{ label: 'Tokens', values: times.map((_, at) => 1000 + 900 * Math.sin(at / 3)) }]
  return htmlPlot({ label: 'Tokens by day, an example', times, series, shape: 'bars' })
}

function form(): Html {
  return html`<form action="/design" class="fields">
<p class="field"><label for="name">Name</label><input id="name" name="name" placeholder="all"></p>
<p class="field"><label for="kind">Kind</label><select id="kind" name="kind"><option>all</option><option>chat</option></select></p>
<div class="field"><label for="amount">Amount, in cents (USD)</label><input id="amount" name="amount" value="12.5" aria-invalid="true" aria-describedby="amount-problem"><small class="problem" id="amount-problem">'Amount' must be a whole number.</small></div>
<label class="check"><input type="checkbox" name="errors"> Errors only</label>
<button class="main">Show</button><button type="button" disabled>Disabled</button></form>`
}
