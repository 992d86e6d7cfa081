/** Erasing an account on its page. */
import type { JsonObject } from '../../base/json.ts'
import { doneNote } from '../../pages/actions.ts'
import { type Html, html } from '../../pages/html.ts'
import { timeHtml } from '../../pages/parts.ts'
import { ACCOUNT } from './account-tabs.ts'
import { actionForm } from './form.ts'
import { type PageRequest, type PageRoute, question } from './page.ts'
import { textOf } from './text.ts'

export const eraseRoute: PageRoute = {
  method: 'POST',
  path: `${ACCOUNT}/erase`,
  back: ACCOUNT,
  async handle(request) {
    const { params, call } = request
    const { name } = await call('account', { params })
    const path = `/accounts/${params.id}`
    const asked = question(request, {
      title: `Erase ${textOf(name)}?`,
      path: '/accounts',
      text: 'Its keys are refused, its requests end, and its files, members and names are removed. Totals and the ledger stay. You cannot undo this.',
      action: `${path}/erase`,
      button: 'Erase',
      cancel: path,
    })
    if (asked !== undefined) return asked
    await call('erase-account', { params })
    return { to: `${path}?done=erase` }
  },
}

export function eraseSection(request: PageRequest, { id }: JsonObject): Html {
  return actionForm(request, `/accounts/${String(id)}/erase`, 'Erase the account', {}, true)
}

/** What remains of an erased account. */
export function erasedNote({ query }: PageRequest, { erased_at: at }: JsonObject): Html {
  return html`${query.get('done') === 'erase' && doneNote('The account is erased.')}
<p>This account was erased at ${timeHtml(at)}. Its usage and its ledger stay, without names.</p>`
}
