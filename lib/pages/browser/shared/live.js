// Keeps a part of the page up to date: where the stream of its `data-live` says so, the page is asked for again, and that part of
// it replaced. The selection of a person who reads or tabs through it is left alone. A page that nobody sees has no stream: browsers
// open six connections to a host at most.
for (const part of document.querySelectorAll('[data-live]')) {
  let source

  async function renew() {
    if (part.contains(document.activeElement)) return
    const response = await fetch(location.href)
    // The session has ended: the page says so when it is loaded.
    if (!response.ok) return source.close()
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(part.id)
    if (fresh === null) return
    // What is newest now is where the next stream begins.
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
