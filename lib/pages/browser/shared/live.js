// Updates a part of the page: on an event of the stream in its `data-live`, the page is fetched again and the part
// replaced. A part that has the focus is not replaced. Hidden pages close their stream, because browsers open at most
// six connections to a host.
for (const part of document.querySelectorAll('[data-live]')) {
  let source

  async function renew() {
    if (part.contains(document.activeElement)) return
    const response = await fetch(location.href)
    // The session has ended. The page shows that after a reload.
    if (!response.ok) return source.close()
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(part.id)
    if (fresh === null) return
    // The next stream begins after the newest entry of the new part.
    part.dataset.live = fresh.dataset.live
    part.replaceChildren(...fresh.childNodes)
  }

  function follow() {
    source = new EventSource(part.dataset.live)
    source.addEventListener('changed', renew)
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? source?.close() : follow()))
  if (!document.hidden) follow()
}
