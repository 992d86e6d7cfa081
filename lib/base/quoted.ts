/** The most characters of a client's word that an error message repeats. */
const LONGEST = 64

/** A client's word, shortened for an error message. Only for names and types, never for content. */
export function quoted(word: string): string {
  return word.length <= LONGEST ? word : `${word.slice(0, LONGEST)}…`
}
