/** Results as a Markdown table: medians with quartiles, ratios to the bare proxy, and comparison with the bound. */
import type { Measured, Row } from './bench.ts'
import type { Budget } from './budgets.ts'
import { median, quantile } from './stats.ts'
import type { TargetName } from './targets.ts'

interface Column {
  readonly head: string
  readonly right?: true
  readonly cell: (row: ReportedRow) => string
}

/** `disturbed`: other programs took part of the machine meanwhile. */
export type ReportedRow = Row & { readonly disturbed?: boolean }

const figure = (head: string, name: TargetName): Column => ({
  head,
  right: true,
  cell: ({ measured }) => figureText(measured[name]),
})

const COLUMNS: readonly Column[] = [
  { head: 'What', cell: ({ what, disturbed }) => (disturbed === true ? `${what} ~` : what) },
  { head: 'Unit', cell: ({ unit }) => unit },
  figure('Sluiceway', 'gateway'),
  figure('http-proxy-3', 'bare'),
  { head: '÷', right: true, cell: ({ measured }) => figureText(ratios(measured, 'bare')) },
  figure('Portkey', 'portkey'),
  figure('nginx', 'nginx'),
  figure('nothing between', 'direct'),
  { head: 'Bound', cell: ({ budget }) => (budget === undefined ? '' : boundText(budget)) },
  { head: '', cell: ({ measured, budget }) => (budget === undefined ? '' : verdict(measured, budget)) },
]

/** Columns without any value are left out. */
export function table(rows: readonly ReportedRow[]): string {
  const filled = COLUMNS.map(column => ({ ...column, cells: rows.map(column.cell) }))
  const columns = filled.filter(({ head, cells }) => head === '' || cells.some(cell => cell !== ''))
  const lines = [
    columns.map(({ head }) => head),
    columns.map(({ right }) => (right === true ? '-:' : '-')),
    ...rows.map((_, i) => columns.map(({ cells }) => cells[i]!)),
  ]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

/** The gateway's figures as multiples of another target's, round by round where both have as many. */
function ratios(measured: Measured, against: TargetName): readonly number[] | undefined {
  const { gateway, [against]: other } = measured
  if (gateway === undefined || other === undefined) return undefined
  if (gateway.length !== other.length) return [median(gateway) / median(other)]
  return gateway.map((value, i) => value / other[i]!)
}

/** With fewer measurements, quartiles say nothing. */
const ENOUGH = 4

function figureText(values: readonly number[] | undefined): string {
  if (values === undefined || values.length === 0) return ''
  const middle = numberText(median(values))
  if (values.length < ENOUGH || middle === '') return middle
  return `${middle} (${numberText(quantile(values, 0.25))}–${numberText(quantile(values, 0.75))})`
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return ''
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

function boundText({ against, limit, atLeast }: Budget): string {
  return against === null ? `${atLeast === true ? '≥ ' : ''}${limit.toLocaleString('en')}` : `${limit} ×`
}

/** Whether the median is within its bound; empty if there is nothing to compare with. */
export function verdict(measured: Measured, { against, limit, atLeast }: Budget): string {
  const values = against === null ? measured.gateway : ratios(measured, against)
  const value = median(values ?? [])
  if (Number.isNaN(value)) return ''
  return (atLeast === true ? value >= limit : value <= limit) ? 'within' : 'outside'
}
