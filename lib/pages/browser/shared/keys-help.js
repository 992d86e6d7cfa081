// The dialog with all keys of the keyboard that pages use. Its checkbox turns single keys off, for people who speak to
// their computer.
import { addDialog, element, openDialog } from './dialog.js'

const SETTING = 'keys'
let areOff = read() === 'off'
let dialog

export const keysAreOff = () => areOff

function read() {
  try {
    return localStorage.getItem(SETTING)
  } catch {
    // The browser keeps nothing for this site.
    return null
  }
}

function turn(isOn) {
  areOff = !isOn
  try {
    if (isOn) localStorage.removeItem(SETTING)
    else localStorage.setItem(SETTING, 'off')
  } catch {
    // The setting lasts until the page is left.
  }
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
/** The keys that open the palette. */
export const PALETTE_KEYS = isMac ? '⌘ K' : 'Ctrl K'

/** Links of the navigation that have a letter. */
export const pageLinks = () => Array.from(document.querySelectorAll('header nav a[data-key]:not([data-key=""])'))

function rowOf([keys, text]) {
  const shown = keys.split(' ').flatMap((key, at) => [at > 0 ? ' ' : '', element('kbd', {}, key)])
  return element('tr', {}, element('th', { scope: 'row' }, ...shown), element('td', {}, text))
}

function build() {
  const rows = [
    [PALETTE_KEYS, 'find a page or an id'],
    ['/', 'search, or the first filter of the page'],
    ['j', 'next row of the table'],
    ['k', 'previous row'],
    ['Enter', 'open the row'],
    ...pageLinks().map(link => [`g ${link.dataset.key}`, link.textContent]),
    ['?', 'these keys'],
    ['Escape', 'close'],
  ]
  const caption = element('caption', { class: 'hidden' }, 'Keys and what they do')
  const table = element('table', { class: 'keys' }, caption, element('tbody', {}, ...rows.map(rowOf)))
  const box = element('input', { type: 'checkbox' })
  box.checked = !areOff
  box.addEventListener('change', () => turn(box.checked))
  const label = element('label', { class: 'check' }, box, 'Single keys work in this browser')
  return addDialog('keys-help', 'Keyboard', [table, label])
}

export function openHelp() {
  dialog ??= build()
  openDialog(dialog)
}
