// The palette: a dialog with the search of the header, which it replaces. It takes a page name or an id.
import { addDialog, element, openDialog } from './dialog.js'
import { openHelp, PALETTE_KEYS, pageLinks } from './keys-help.js'

const form = document.querySelector('header form.find')
let dialog

/** The forms that isSecretLike() of lib/pages/find.ts knows. They are not sent: the address would have them. */
const SECRET = /^(bearer\s|sk-)|_[\w-]{43}$/i

function refuseSecrets(search) {
  const input = search.querySelector('input')
  input.addEventListener('input', () => input.setCustomValidity(''))
  search.addEventListener('submit', event => {
    if (!SECRET.test(input.value.trim())) return
    event.preventDefault()
    input.value = ''
    input.setCustomValidity('This looks like the secret of a key. Enter the id of the key, such as key_3f2a91c04b7d.')
    input.reportValidity()
  })
}

function build() {
  const search = form.cloneNode(true)
  search.className = 'fields'
  const [label, input] = [search.querySelector('label'), search.querySelector('input')]
  label.className = ''
  input.id = 'palette-q'
  label.htmlFor = input.id
  input.placeholder = 'requests, req_…, key_…'
  input.setAttribute('list', 'palette-pages')
  search.replaceChildren(element('p', { class: 'field' }, label, input), search.querySelector('button'))
  const pages = pageLinks().map(link => element('option', { value: link.textContent }))
  refuseSecrets(search)
  const help = element('button', { type: 'button' }, 'Keyboard')
  help.addEventListener('click', openHelp)
  const list = element('datalist', { id: 'palette-pages' }, ...pages)
  return addDialog('palette', 'Find a page or an id', [search, list], [help])
}

export function openPalette() {
  if (form === null) return
  dialog ??= build()
  openDialog(dialog)
  dialog.querySelector('input').select()
}

const link = document.querySelector('header .find-open')
if (link !== null) {
  const button = element('button', { type: 'button', class: link.className, 'aria-haspopup': 'dialog' }, 'Find ')
  button.append(element('kbd', { 'aria-hidden': 'true' }, PALETTE_KEYS))
  button.addEventListener('click', openPalette)
  link.replaceWith(button)
}
for (const search of document.querySelectorAll('form[role=search]')) refuseSecrets(search)
