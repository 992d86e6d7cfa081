/** Longest piece of a client's own word that an error repeats. */
const LONGEST = 64

/** A client's own word, short enough to stand in an error message. Only for names and types, never for content. */
export function quoted(word: string): string {
  return word.length <= LONGEST ? word : `${word.slice(0, LONGEST)}…`
}
