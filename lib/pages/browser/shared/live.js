// Updates a part of the page: it fetches the page again, and replaces the part. `data-live`: on each event of this
// stream. `data-poll`: every so many milliseconds. A part that has the focus is not replaced. Hidden and paused pages
// close their stream, because browsers open at most six connections to a host.
import { onPause, paused, showState } from './live-bar.js'

for (const part of document.querySelectorAll('[data-live], [data-poll]')) {
  let source
  let timer

  async function renew() {
    if (part.contains(document.activeElement)) return
    const response = await fetch(location.href).catch(() => undefined)
    // The session has ended. The page shows that after a reload.
    if (response !== undefined && !response.ok) return stop()
    showState(response === undefined ? 'The connection is lost: what is shown is old.' : 'Live')
    if (response === undefined) return
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(part.id)
    if (fresh === null || paused()) return
    // The next stream begins after the newest entry of the new part.
    if (part.dataset.live !== undefined) part.dataset.live = fresh.dataset.live
    part.replaceChildren(...fresh.childNodes)
  }

  function stop() {
    source?.close()
    clearInterval(timer)
  }

  function follow() {
    stop()
    if (part.dataset.poll !== undefined) {
      timer = setInterval(renew, Number(part.dataset.poll))
      return
    }
    source = new EventSource(part.dataset.live)
    source.addEventListener('changed', renew)
  }

  const update = () => (document.hidden || paused() ? stop() : follow())
  document.addEventListener('visibilitychange', update)
  onPause(isPaused => {
    update()
    if (!isPaused) void renew()
  })
  update()
}
