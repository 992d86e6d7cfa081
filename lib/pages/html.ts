/** HTML from templates. Values are escaped, unless they are HTML of another template. */
import { escapeHtml } from '../text/html.ts'

/** Escaped HTML. Only templates and the Markdown renderer create it, never a plain text. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** A value in a template. null and false are omitted; the elements of lists are joined without a separator. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[]

/** Tag of a template literal. Attributes must be in double quotes, so that no value can end one. */
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
