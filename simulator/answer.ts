import { between, pick, type Random, seededRandom } from './random.ts'
import { countTokens, firstTokens, tokenEnd } from './tokens.ts'

/** Words of every length, including accents, other scripts, and characters of two UTF-16 units. */
const WORDS = [
  ...'water gate river stream channel valley lantern bridge harbour mill quiet steady narrow open upper lower'.split(
    ' ',
  ),
  ...'carries turns opens holds passes keeps measures follows reaches settles answers waits begins returns'.split(' '),
  ...'the a each one every this that its our through over under between beyond along before after while'.split(' '),
  ...'and so then still again often rarely always café naïve Zürich jalapeño Ångström señal déjà 東京 река'.split(' '),
  ...'🌊 🚀 👩‍💻 ✅'.split(' '),
]
const ENDS = ['.', '.', '.', '.', '!', '?']
/** The last token of an answer that already ends with a full stop. */
const LAST_WORD = ' ✅'

const SOURCE_TOKENS = 8192

/**
 * A long text and the ends of its tokens. Answers are parts of it: load tests have thousands of long answers, and
 * generating one would cost a millisecond and 100 KB.
 */
const SOURCE = sourceText()
const SOURCE_ENDS = tokenEnds(SOURCE)

/** The start of an answer, which quotes the question. */
export function echoOf(question: string): string {
  const words = question.split(/\s+/).filter(word => word !== '')
  if (words.length === 0) return ''
  const start = words.slice(0, 12).join(' ').slice(0, 120)
  return `You wrote “${start}${words.length > 12 ? ' …' : ''}”.`
}

/**
 * Sentences of exactly `tokens` tokens, including `beginning`. Returns parts whose token counts add up to that of the
 * joined text.
 */
export function compose(beginning: string, tokens: number, random: Random): string[] {
  const opening = firstTokens(beginning, tokens)
  const parts = [opening]
  let left = tokens - countTokens(opening)
  let from = left > 0 ? sentenceStart(random) : 0
  while (left > 1) {
    const count = Math.min(left - 1, SOURCE_ENDS.length - from)
    parts.push(SOURCE.slice(endBefore(from), SOURCE_ENDS[from + count - 1]))
    left -= count
    from = 0
  }
  if (left === 1) parts.push(ENDS.includes(parts.at(-1)!.slice(-1)) ? LAST_WORD : '.')
  return parts
}

/** Index of the first token of a random sentence in the first half of the source text. */
function sentenceStart(random: Random): number {
  for (let index = between(random, 0, SOURCE_TOKENS >> 1); index > 0; index--) {
    if (SOURCE[endBefore(index) - 1] === '.' && SOURCE[endBefore(index)] === ' ') return index
  }
  return 0
}

function endBefore(index: number): number {
  return index === 0 ? 0 : SOURCE_ENDS[index - 1]!
}

function sourceText(): string {
  const random = seededRandom(1)
  let text = ''
  for (let tokens = 0; tokens < SOURCE_TOKENS; ) {
    const next = sentence(random)
    tokens += countTokens(next)
    text += next
  }
  return text
}

/** Begins with white space, so that no token spans two sentences. */
function sentence(random: Random): string {
  const words = Array.from({ length: between(random, 5, 12) }, () => pick(random, WORDS))
  const first = words[0]!
  words[0] = first.charAt(0).toUpperCase() + first.slice(1)
  return `${random() < 0.15 ? '\n\n' : ' '}${words.join(' ')}${pick(random, ENDS)}`
}

function tokenEnds(text: string): Uint32Array {
  const ends: number[] = []
  for (let at = 0; at < text.length; ) {
    at = tokenEnd(text, at)
    ends.push(at)
  }
  return Uint32Array.from(ends)
}
