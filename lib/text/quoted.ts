/**
 * Names chosen by clients, in texts of errors. The client reads the names; records under zero data retention have only
 * their lengths (docs/adr/0049-names-of-clients-in-errors.md).
 */

/** Characters of a client's name that an error message repeats. */
const MAX_NAME_CHARACTERS = 64

/** A text that contains names from a client, and the same text with the length of each name in its place. */
export class QuotingText {
  readonly full: string
  readonly withoutNames: string

  constructor(full: string, withoutNames: string) {
    this.full = full
    this.withoutNames = withoutNames
  }

  /** Throws: a plain template literal would lose `withoutNames`. */
  toString(): never {
    throw new TypeError('a text that quotes a client is put together by words``')
  }
}

/** A piece of a message. Plain strings are the gateway's own text. */
export type Words = string | number | QuotingText

/** A client's name, shortened for an error message. Only for names and types, never for content. */
export function quoted(name: string, max: number = MAX_NAME_CHARACTERS): QuotingText {
  return new QuotingText(shortened(name, max), lengthOf(name))
}

/** A client's name, shortened, for `error.param`, which is sent to the client and never recorded. */
export function shortened(name: string, max: number = MAX_NAME_CHARACTERS): string {
  return name.length <= max ? name : `${name.slice(0, max)}…`
}

/** What a record has of a name under zero data retention: `<12 characters>`. */
export function lengthOf(name: string): string {
  return `<${name.length} character${name.length === 1 ? '' : 's'}>`
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

/** The text as one quoted word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
