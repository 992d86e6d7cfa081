// The bar of a live page (liveBar() of lib/pages/parts.ts): says that the page is live, and pauses it by a button.
const bar = document.querySelector('#live-bar')
const [state, button] = [bar?.querySelector('[role=status]'), bar?.querySelector('button')]
let isPaused = false
const listeners = []

/** True while the user has paused the page. */
export const paused = () => isPaused

/** Calls `listener` with true when the user pauses the page, and with false when it continues. */
export function onPause(listener) {
  listeners.push(listener)
}

export function showState(text) {
  if (state && state.textContent !== text) state.textContent = text
}

if (bar) {
  bar.hidden = false
  button.addEventListener('click', () => {
    isPaused = !isPaused
    bar.classList.toggle('paused', isPaused)
    button.textContent = isPaused ? 'Continue' : 'Pause'
    showState(isPaused ? 'Paused' : 'Live')
    for (const listener of listeners) listener(isPaused)
  })
}
