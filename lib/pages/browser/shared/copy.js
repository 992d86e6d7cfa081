// A button beside each text that is there to be copied. Without script the text can be selected.
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
      // Without TLS browsers have no clipboard: then the text is selected, and a key copies it.
      getSelection().selectAllChildren(source)
      said.textContent = 'Selected: copy it with the keyboard.'
    }
  })
  const row = document.createElement('p')
  row.className = 'row'
  row.append(button, said)
  source.after(row)
}
