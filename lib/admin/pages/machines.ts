/** The gateways of a store on the page Overview, if there are several. */
import { type Html, html } from '../../pages/html.ts'
import { timeHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import type { ListedGateway } from '../live/fleet.ts'

const HEADS = ['Machine', 'State', 'Version', 'Since', 'Processes#']

/** Nothing if there is one gateway. */
export function machineTable(gateways: readonly ListedGateway[]): Html | null {
  if (gateways.length === 1) return null
  const rows = gateways.map(gateway => [
    gateway.machine,
    html`<span class="${gateway.stale || !gateway.ready ? 'error' : 'good'}">${stateOf(gateway)}</span>${gateway.stale && html` <small>last seen ${timeHtml(gateway.seen_at)}</small>`}`,
    gateway.version,
    timeHtml(gateway.started),
    String(gateway.workers.length),
  ])
  return html`<h2>Machines</h2>
${htmlTable('Gateways that share the store; this one first', HEADS, rows)}`
}

/** Open pages reload when this text changes: when a gateway starts, ends, is lost or changes its readiness. */
export function machineLayout(gateways: readonly ListedGateway[]): string {
  return gateways.length === 1 ? '' : gateways.map(one => `\n${one.machine} ${stateOf(one)}`).join('')
}

/** The number of processes, and of machines if there are several. */
export function processText(gateways: readonly ListedGateway[]): Html {
  const live = gateways.filter(({ stale }) => !stale)
  const processes = live.reduce((sum, { workers }) => sum + workers.length, 0)
  return html`${processes}${live.length > 1 && html`<small>on ${live.length} machines</small>`}`
}

function stateOf({ stale, ready, unready }: ListedGateway): string {
  if (stale) return 'lost'
  return ready ? 'ready' : unready.join(', ')
}
