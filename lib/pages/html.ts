/** HTML that is made from templates: what is put into one is escaped, unless it is HTML that another template has made. */
import { escapeHtml } from '../text/html.ts'

/** Finished HTML. Only `html` makes it, so that a text cannot pass for it. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Goes into a template: nothing for null and false, lists one after the other without anything between. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[]

/** The tag of a template. Attributes must be in double quotes: then no value can end one. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0]!
  values.forEach((value, at) => {
    text += textOf(value) + strings[at + 1]!
  })
  return new Html(text)
}

function textOf(value: HtmlValue): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.map(textOf).join('')
  return escapeHtml(String(value))
}
