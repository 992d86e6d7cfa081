// Adds a copy button to each element with `data-copy`. Without scripts, users can select the text.
for (const source of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  const name = source.dataset.copy
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy ${name}`)
  const said = document.createElement('span')
  said.setAttribute('role', 'status')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent)
      said.textContent = 'Copied.'
    } catch {
      // Browsers offer no clipboard without TLS. The text is selected instead, and a key copies it.
      getSelection().selectAllChildren(source)
      said.textContent = 'Selected: copy it with the keyboard.'
    }
  })
  const row = document.createElement('p')
  row.className = 'row'
  row.append(button, said)
  source.after(row)
}
