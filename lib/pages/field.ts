/** Fields of forms, which show why their value was refused. */
import { type Html, type HtmlValue, html } from './html.ts'

/** Why a form was refused. */
export interface Refusal {
  /** Name of the field whose value is the cause; null: no field is. */
  readonly field: string | null
  readonly text: string
}

interface Field {
  readonly name: string
  readonly label: HtmlValue
  /** Default: the name. */
  readonly id?: string
}

/**
 * A field with its label. If `refusal` is about it, the text is below the control, which has the focus. `control` makes
 * an input, a select or a textarea with these attributes.
 */
export function htmlField(
  { name, label, id = name }: Field,
  refusal: Refusal | null,
  control: (attributes: Html) => Html,
): Html {
  const note = `${id}-problem`
  const isRefused = refusal?.field === name
  const state = isRefused && html` aria-invalid="true" aria-describedby="${note}" autofocus`
  return html`<div class="field"><label for="${id}">${label}</label>
${control(html` id="${id}" name="${name}"${state}`)}${isRefused && html`<small class="problem" id="${note}">${refusal.text}</small>`}</div>`
}
