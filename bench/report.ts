/** Results as a Markdown table: figures, ratios to the bare proxy, and comparison with the budget. */
import type { Budget, Row } from './bench.ts'

const COLUMNS = ['What', 'Unit', 'Sluiceway', 'http-proxy-3', '÷', 'Portkey', 'nothing between', 'Budget', 'Aim', '']

export function table(rows: readonly Row[]): string {
  const cells = [COLUMNS, COLUMNS.map((_, i) => (i > 1 && i < 7 ? '-:' : '-')), ...rows.map(cellsOf)]
  return cells.map(row => `| ${row.join(' | ')} |`).join('\n')
}

function cellsOf({ what, unit, values, budget }: Row): readonly string[] {
  const { gateway, bare, portkey, direct } = values
  const ratio = gateway === undefined || bare === undefined ? '' : (gateway / bare).toFixed(2)
  const limits =
    budget === undefined
      ? ['', '', '']
      : [limitText(budget, budget.limit), limitText(budget, budget.aim), verdict(values, budget)]
  return [what, unit, number(gateway), number(bare), ratio, number(portkey), number(direct), ...limits]
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  const size = Math.abs(value)
  return size >= 1000 ? String(Math.round(value)) : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

function limitText({ against, atLeast }: Budget, limit: number | undefined): string {
  if (limit === undefined) return ''
  if (against === 'portkey') return `${limit} × Portkey`
  return against === 'bare' ? `${limit} ×` : `${atLeast === true ? '≥ ' : ''}${limit}`
}

/** Whether a figure is within its budget; empty if it has none. */
export function verdict(values: Row['values'], { against, limit, aim, atLeast }: Budget): string {
  const base = against === null ? 1 : values[against]
  if (values.gateway === undefined || base === undefined || Number.isNaN(base)) return ''
  const value = values.gateway / base
  const keeps = (bound: number) => (atLeast === true ? value >= bound : value <= bound)
  if (!keeps(limit)) return 'over budget'
  return aim !== undefined && keeps(aim) ? 'aim met' : 'in budget'
}
