/** Parts of pages with actions: a question before an action, and a note after it. Both work without scripts. */
import { type Html, html } from './html.ts'

/** Field of a form that answers the question. Without it, the action asks and changes nothing. */
export const CONFIRMED = 'confirmed'

interface Confirmation {
  /** What the action does, and whether it can be undone. */
  readonly text: Html | string
  /** Path of the action. */
  readonly action: string
  readonly button: string
  /** Path of the page to return to without the action. */
  readonly cancel: string
  /** Text of the link to that page. Default: Cancel. */
  readonly keep?: string
  /** The form that was sent, with its valid token. Its fields are sent again. */
  readonly form: URLSearchParams
}

/** The question. Its button sends the form again, with the answer. */
export function confirmForm({ text, action, button, cancel, keep = 'Cancel', form }: Confirmation): Html {
  const fields = [...form, [CONFIRMED, 'yes'] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<div class="dialog"><p>${text}</p>
<form method="post" action="${action}" class="row">${fields}<button class="danger">${button}</button>
<a class="button" href="${cancel}">${keep}</a></form></div>`
}

/** What an action has done. `undo`: a form with a button; null: it cannot be undone. */
export function doneNote(text: Html | string, undo: Html | null = null): Html {
  return html`<div class="note toast row" role="status"><span>${text}</span>${undo}</div>`
}

/** A key in sentences: `ci (key_1)`, or its id alone. */
export function keyName({ id, label }: { readonly id: string; readonly label?: string | null | undefined }): string {
  return typeof label === 'string' && label !== '' ? `${label} (${id})` : id
}
