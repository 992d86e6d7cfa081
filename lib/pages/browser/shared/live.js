// Keeps a part of the page up to date: where the stream of its `data-live` says so, the page is asked for again, and that part of
// it replaced. The selection of a person who reads or tabs through it is left alone.
for (const part of document.querySelectorAll('[data-live]')) {
  const source = new EventSource(part.dataset.live)
  source.addEventListener('changed', async () => {
    if (document.hidden || part.contains(document.activeElement)) return
    const response = await fetch(location.href)
    // The session has ended: the page says so when it is loaded.
    if (!response.ok) return source.close()
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(part.id)
    if (fresh !== null) part.replaceChildren(...fresh.childNodes)
  })
}
