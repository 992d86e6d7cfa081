/** Forms of the pages: reading their fields, and HTML for them. */
import type { IncomingMessage } from 'node:http'
import type { GatewayError } from '../../errors/errors.ts'
import { readText } from '../../http/read-text.ts'
import { htmlField, type Refusal } from '../../pages/field.ts'
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

/** The fields of a form, by the members of the API that they set. `text`: replaces that of the API. */
export type FormFields = Readonly<Record<string, readonly [name: string, label: string, text?: string]>>

const LACKS = 'The body lacks the required field'

/** Why the API refuses a form, in the words of its page. */
export function refusalOf({ message, details: { param } }: GatewayError, fields: FormFields = {}): Refusal {
  // A list is one field: `models.0` is an item of `models`.
  const member = (param ?? '').replace(/\.\d+(?=\.|$)/g, '')
  const [, found] = Object.entries(fields).find(([name]) => member === name || member.startsWith(`${name}.`)) ?? []
  if (found === undefined) return { field: null, text: message.replace(LACKS, 'The form lacks') }
  const [field, label, own] = found
  const text = message
    .replace(`'${param}'`, `'${label}'`)
    .replace(new RegExp(`${LACKS} (.*)\\.$`), '$1 must be filled in.')
    .replace('a string that is not empty', 'filled in')
    .replace('a string of at most', 'at most')
    .replace(' or null', ', or empty')
  return { field, text: own ?? text }
}

/** A field with a list of options. `chosen`: the value of the selected one. */
export function select(
  name: string,
  label: string,
  chosen: string,
  options: Iterable<readonly [value: string, text: string]>,
  problem: Refusal | null = null,
): Html {
  const list = Array.from(
    options,
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return htmlField({ name, label }, problem, attributes => html`<select${attributes}>${list}</select>`)
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
