/** Forms of the pages: reading their fields, and HTML for them. */
import type { IncomingMessage } from 'node:http'
import { readText } from '../../http/read-text.ts'
import { type Html, html } from '../../pages/html.ts'
import { tokenField, type Visitor } from './visitor.ts'

/** Enough for a list of a thousand members. */
const MAX_BYTES = 300_000

/** Reads a body of type `application/x-www-form-urlencoded`. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readText(req, MAX_BYTES))
}

/** The trimmed text of a field; undefined if it is empty. */
export function filled(form: URLSearchParams, name: string): string | undefined {
  const value = form.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}

/** The number in a field. Other text is returned unchanged: the check of the operation refuses it with its name. */
export function numberIn(form: URLSearchParams, name: string): number | string | undefined {
  const value = filled(form, name)
  return value !== undefined && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

/** The words in a field, separated by commas, spaces or line breaks. */
export function wordsIn(form: URLSearchParams, name: string): string[] {
  return (form.get(name) ?? '').split(/[\s,]+/).filter(word => word !== '')
}

/** A field with a list of options. `chosen`: the value of the selected one. */
export function select(
  name: string,
  label: string,
  chosen: string,
  options: Iterable<readonly [value: string, text: string]>,
): Html {
  const list = Array.from(
    options,
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return html`<p class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${list}</select></p>`
}

/** A button that sends hidden fields. `isDangerous`: its action ends what clients use. */
export function actionForm(
  { visitor }: { readonly visitor: Visitor },
  action: string,
  button: Html | string,
  fields: Readonly<Record<string, string>> = {},
  isDangerous = false,
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}">${tokenField(visitor)}${hidden}<button${isDangerous && html` class="danger"`}>${button}</button></form>`
}
