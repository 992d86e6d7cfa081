/**
 * Names that a client chose, in the text of an error. The client reads them; what is kept under zero data retention has their
 * length in their place (docs/adr/0049-names-of-clients-in-errors.md).
 */

/** The most characters of a client's word that an error message repeats. */
const LONGEST = 64

/** A text with names of the client in it, and the same text without them. */
export class QuotingText {
  readonly full: string
  readonly withoutNames: string

  constructor(full: string, withoutNames: string) {
    this.full = full
    this.withoutNames = withoutNames
  }

  /** So that no plain template literal takes one for a text: then its two forms could no longer be told apart. */
  toString(): never {
    throw new TypeError('a text that quotes a client is put together by words``')
  }
}

/** What a message is put together from. Plain texts are the gateway's own words. */
export type Words = string | number | QuotingText

/** A client's word, shortened for an error message. Only for names and types, never for content. */
export function quoted(word: string, longest: number = LONGEST): QuotingText {
  return new QuotingText(shortened(word, longest), lengthOf(word))
}

/** A client's word, shortened: for `error.param`, which is sent and never kept. */
export function shortened(word: string, longest: number = LONGEST): string {
  return word.length <= longest ? word : `${word.slice(0, longest)}…`
}

/** What is kept of a name under zero data retention: `<12 characters>`. */
export function lengthOf(word: string): string {
  return `<${word.length} character${word.length === 1 ? '' : 's'}>`
}

/** words`'${path}' has type '${quoted(type)}'.` */
export function words(strings: TemplateStringsArray, ...values: readonly Words[]): QuotingText {
  const built = (text: (value: Words) => string) => String.raw({ raw: strings }, ...values.map(text))
  return new QuotingText(built(fullText), built(textWithoutNames))
}

export function fullText(value: Words): string {
  return value instanceof QuotingText ? value.full : String(value)
}

export function textWithoutNames(value: Words): string {
  return value instanceof QuotingText ? value.withoutNames : String(value)
}
