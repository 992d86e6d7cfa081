// Keeps the page of the present up to date: one event every five seconds (lib/admin/pages/now.ts).
import { plots as drawn } from './plot.js'

const HOUR_S = 3600
/** A point or two may be missing from the plots. */
const MOST_MISSED_MS = 10_000
/** By then a page that was asked for has come, or never will. */
const LONGEST_ANSWER_MS = 10_000
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
  // Buttons belong to rows: where rows have changed, the page is made anew.
  if (update.layout !== layout) {
    if (performance.now() - sentAt > LONGEST_ANSWER_MS) location.reload()
    return
  }
  for (const [key, text] of update.cells) write(cells.get(key), text)
  for (const [key, name] of update.states) cells.get(key).className = name
  write(document.querySelector('#ready'), ...update.ready)
  if (update.failures !== failures) {
    failures = update.failures
    // Made by the server, which escapes what it puts in.
    document.querySelector('#failures').innerHTML = failures
  }
  // A model that nobody calls has no point.
  const values = model === '' ? update.plots : update.models[model]
  for (const one of plots) addPoint(one, update.at, values?.[one.id] ?? [])
}

// What a button does may be live before its answer has come: a reload would take the place of that page, which says what was done.
let sentAt = Number.NEGATIVE_INFINITY
document.addEventListener('submit', () => {
  sentAt = performance.now()
})

let events

function follow() {
  events = new EventSource('/live')
  events.onopen = () => {
    lost.hidden = true
  }
  events.onmessage = ({ data }) => show(JSON.parse(data))
  events.onerror = () => {
    lost.hidden = false
    // Refused: the session has ended, or there are too many viewers. The browser tries again by itself otherwise.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 30_000)
  }
}

// Browsers open six connections to a host at most, and pages that nobody sees would hold them. What was missed comes with the page.
let hiddenAt = 0
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    hiddenAt = performance.now()
    events?.close()
  } else if (performance.now() - hiddenAt > MOST_MISSED_MS) location.reload()
  else follow()
})
if (!document.hidden) follow()
