// Modal dialogs of the pages. Escape and a button close them.

/** A new element. `more`: its attributes; children are elements or texts. */
export function element(name, more, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(more)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** Adds a closed dialog with a heading. `id` is unique on the page. `buttons`: those next to the one that closes. */
export function addDialog(id, title, content, buttons = []) {
  const heading = element('h2', { id: `${id}-title` }, title)
  const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'))
  const row = element('div', { class: 'row' }, ...buttons, close)
  const dialog = element('dialog', { id, 'aria-labelledby': heading.id }, heading, ...content, row)
  document.body.append(dialog)
  return dialog
}

/** Opens a dialog, and closes any other. */
export function openDialog(dialog) {
  for (const other of document.querySelectorAll('dialog[open]')) if (other !== dialog) other.close()
  if (!dialog.open) dialog.showModal()
}
