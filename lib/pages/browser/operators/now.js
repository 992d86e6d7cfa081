// Updates the page with live data: one event every five seconds (lib/admin/pages/now.ts).
import { onPause, paused, showState } from './live-bar.js'
import { plots as drawn } from './plot.js'

const HOUR_S = 3600
/** A page that is hidden for less time lacks only a point or two of its plots. */
const MAX_HIDDEN_MS = 10_000
/** Time after which the response to a form is no longer expected. */
const MAX_RESPONSE_MS = 10_000
const lost = document.querySelector('#lost')
const cells = new Map(Array.from(document.querySelectorAll('[data-live]'), cell => [cell.dataset.live, cell]))
const { model } = document.querySelector('#hour').dataset
const layout = document.querySelector('[data-layout]').dataset.layout
let failures = document.querySelector('#failures').innerHTML

const plots = Array.from(drawn, ([element, plot]) => {
  return { id: element.parentElement.id.slice('plot-'.length), data: JSON.parse(element.dataset.plot), plot }
})

function write(element, text, name) {
  if (element.textContent !== text) element.textContent = text
  if (name !== undefined) element.className = name
}

function addPoint({ data, plot }, at, values) {
  const from = data.times.findIndex(time => time > at - HOUR_S)
  const kept = list => (from < 0 ? [] : list.slice(from))
  data.times = [...kept(data.times), at]
  data.series = data.series.map((one, i) => ({ ...one, values: [...kept(one.values), values[i] ?? null] }))
  plot.update(data)
}

function show(update) {
  // Buttons belong to rows, so the page is loaded again when rows have changed.
  if (update.layout !== layout) {
    if (performance.now() - sentAt > MAX_RESPONSE_MS) location.reload()
    return
  }
  for (const [key, text] of update.cells) write(cells.get(key), text)
  for (const [key, name] of update.states) cells.get(key).className = name
  // A reload of the configuration may have set a limit since: its bar appears with the next page.
  for (const [key, width] of update.meters) cells.get(key)?.setAttribute('width', width)
  write(document.querySelector('#ready'), ...update.ready)
  if (update.failures !== failures) {
    failures = update.failures
    // HTML from the server, which escapes all values.
    document.querySelector('#failures').innerHTML = failures
  }
  // A model without requests in the last hour has no point.
  const values = model === '' ? update.plots : update.models[model]
  for (const one of plots) addPoint(one, update.at, values?.[one.id] ?? [])
}

// An update may show the effect of a form before its response arrives. A reload would then replace that response.
let sentAt = Number.NEGATIVE_INFINITY
document.addEventListener('submit', () => {
  sentAt = performance.now()
})

let events

function follow() {
  events = new EventSource('/live')
  events.onopen = () => {
    lost.hidden = true
    showState('Live, every 5 s')
  }
  events.onmessage = ({ data }) => show(JSON.parse(data))
  events.onerror = () => {
    lost.hidden = false
    // CLOSED: the session has ended, or there are too many viewers. After other errors the browser connects again.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 30_000)
  }
}

// Browsers open at most six connections to a host, so hidden pages close theirs. A reload fetches missed points.
let hiddenAt = 0
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    hiddenAt = performance.now()
    events?.close()
  } else if (paused()) return
  else if (performance.now() - hiddenAt > MAX_HIDDEN_MS) location.reload()
  else follow()
})
onPause(isPaused => {
  if (isPaused) events?.close()
  else location.reload()
})
if (!document.hidden) follow()
