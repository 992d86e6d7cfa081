// Runs on every page: shows times in the viewer's zone with their age, adds copy buttons to ids, and folds the filters
// on a phone. Pages without script show UTC, and filters that are open.

import './keys.js'
import './menu.js'

const pad = number => String(number).padStart(2, '0')

/** `14:02:11` of today, or `2026-11-27 14:02:11`, in the viewer's zone. */
function clockText(date, now) {
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
  return date.toDateString() === now.toDateString() ? time : `${day} ${time}`
}

/** `3 min ago`; empty for times of other days, and for the future. */
function ageText(date, now) {
  const seconds = (now - date) / 1000
  if (seconds < 0 || date.toDateString() !== now.toDateString()) return ''
  if (seconds < 60) return ` · ${Math.floor(seconds)} s ago`
  return seconds < 3600 ? ` · ${Math.floor(seconds / 60)} min ago` : ` · ${Math.floor(seconds / 3600)} h ago`
}

function showTimes() {
  const now = new Date()
  for (const time of document.querySelectorAll('time[datetime]')) {
    const date = new Date(time.dateTime)
    const text = clockText(date, now) + ageText(date, now)
    if (!Number.isNaN(date.getTime()) && time.textContent !== text) time.textContent = text
  }
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    // Browsers offer no clipboard without TLS. The id is selected instead, and a key copies it.
    getSelection().selectAllChildren(button.previousElementSibling)
    button.textContent = 'Selected'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

function addCopyButtons() {
  for (const id of document.querySelectorAll('[data-id]:not([data-copies])')) {
    id.dataset.copies = ''
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy ${id.textContent}`)
    button.addEventListener('click', () => copy(id.textContent, button))
    id.after(' ', button)
  }
}

function enhance() {
  showTimes()
  addCopyButtons()
}

if (matchMedia('(max-width: 40rem)').matches)
  for (const filters of document.querySelectorAll('details.filters:not(:has([aria-invalid]))')) filters.open = false
enhance()
// Live pages add times. Text that changes in an element does not count.
let isDue = false
new MutationObserver(changes => {
  if (isDue || !changes.some(({ addedNodes }) => Array.from(addedNodes).some(({ nodeType }) => nodeType === 1))) return
  isDue = true
  queueMicrotask(() => {
    isDue = false
    enhance()
  })
}).observe(document.querySelector('main'), { childList: true, subtree: true })
setInterval(showTimes, 15_000)
