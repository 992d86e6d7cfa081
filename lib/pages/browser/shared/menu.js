// Closes menus (htmlMenu() of lib/pages/parts.ts) by Escape, and when the focus or a click leaves them.
const openMenus = () => document.querySelectorAll('details.menu[open]')

addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of openMenus()) {
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
    menu.open = false
  }
})
for (const type of ['click', 'focusin'])
  addEventListener(type, ({ target }) => {
    for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false
  })
