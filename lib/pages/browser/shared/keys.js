// Keys on every page with navigation. Single keys do nothing in a field, with a modifier, or if the user turned them off.
import { isMac, keysAreOff, openHelp, pageLinks } from './keys-help.js'
import { openPalette } from './palette.js'

/** Milliseconds in which the letter must follow `g`. */
const GO_MS = 1500
let goUntil = 0

const FILTERS = '[type=search], form:not([method=post]) :is(input:not([type=hidden], [type=checkbox]), select)'

function focusSearch() {
  const field = document.querySelector('main').querySelector(FILTERS)
  if (field === null) return openPalette()
  const folded = field.closest('details')
  if (folded !== null) folded.open = true
  field.focus()
  field.select?.()
}

/** Rows of the first table that is visible, without the texts below rows. */
function rowsOf() {
  const tables = Array.from(document.querySelectorAll('main table'))
  const table = tables.find(one => one.tBodies[0]?.rows.length > 0 && one.checkVisibility())
  return Array.from(table?.tBodies[0].rows ?? []).filter(row => !row.classList.contains('detail'))
}

/** Focuses the first link of the next row: Enter opens it. A row without a link has the focus itself. */
function move(step) {
  const rows = rowsOf()
  if (rows.length === 0) return
  const at = rows.findIndex(row => row.contains(document.activeElement))
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))
  const row = rows[next]
  const link = row.querySelector('a[href]')
  if (link === null) row.tabIndex = -1
  ;(link ?? row).focus()
  row.scrollIntoView({ block: 'nearest' })
}

const ACTIONS = {
  '/': focusSearch,
  '?': openHelp,
  j: () => move(1),
  k: () => move(-1),
  g: () => {
    goUntil = performance.now() + GO_MS
  },
}

/** True: the key has an effect. */
function act(key) {
  const isGoing = performance.now() < goUntil
  goUntil = 0
  const link = isGoing ? pageLinks().find(({ dataset }) => dataset.key === key) : undefined
  if (link !== undefined) link.click()
  else if (!isGoing && Object.hasOwn(ACTIONS, key)) ACTIONS[key]()
  else return false
  return true
}

function isField(target) {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null
}

addEventListener('keydown', event => {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  if (event.defaultPrevented || event.isComposing) return
  const hasCommand = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (hasCommand && !altKey && !shiftKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    openPalette()
    return
  }
  if (ctrlKey || metaKey || altKey || keysAreOff() || isField(target)) return
  if (document.querySelector('header nav') === null || document.querySelector('dialog[open]') !== null) return
  if (act(key)) event.preventDefault()
})
