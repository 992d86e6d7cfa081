import { between, pick, type Random, seededRandom } from './random.ts'
import { countTokens, firstTokens, tokenEnd } from './tokens.ts'

/** Words of every length, and with them what breaks careless code: accents, other scripts, characters of two UTF-16 units. */
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
/** One token, for answers that have one left after a full stop: they do not break off. */
const LAST_WORD = ' ✅'

const TALE_TOKENS = 8192

/**
 * One long text that every answer is a part of, and where its tokens end. Answers of their own would cost a millisecond
 * and 100 KB each where a load test asks for thousands of long ones; parts of one string cost nothing.
 */
const TALE = tale()
const TALE_ENDS = tokenEnds(TALE)

/** The beginning of an answer that shows that the question arrived. */
export function echoOf(question: string): string {
  const words = question.split(/\s+/).filter(word => word !== '')
  if (words.length === 0) return ''
  const start = words.slice(0, 12).join(' ').slice(0, 120)
  return `You wrote “${start}${words.length > 12 ? ' …' : ''}”.`
}

/**
 * Sentences of exactly this many tokens, behind a given beginning that counts as part of them. In parts, which hold
 * together no fewer and no more tokens than each for itself.
 */
export function compose(beginning: string, tokens: number, random: Random): string[] {
  const opening = firstTokens(beginning, tokens)
  const parts = [opening]
  let left = tokens - countTokens(opening)
  let from = left > 0 ? sentenceStart(random) : 0
  while (left > 1) {
    const count = Math.min(left - 1, TALE_ENDS.length - from)
    parts.push(TALE.slice(endBefore(from), TALE_ENDS[from + count - 1]))
    left -= count
    from = 0
  }
  if (left === 1) parts.push(ENDS.includes(parts.at(-1)!.slice(-1)) ? LAST_WORD : '.')
  return parts
}

/** Index of a token with which a sentence begins, in the first half of the tale. */
function sentenceStart(random: Random): number {
  for (let index = between(random, 0, TALE_TOKENS >> 1); index > 0; index--) {
    if (TALE[endBefore(index) - 1] === '.' && TALE[endBefore(index)] === ' ') return index
  }
  return 0
}

function endBefore(index: number): number {
  return index === 0 ? 0 : TALE_ENDS[index - 1]!
}

function tale(): string {
  const random = seededRandom(1)
  let text = ''
  for (let tokens = 0; tokens < TALE_TOKENS; ) {
    const next = sentence(random)
    tokens += countTokens(next)
    text += next
  }
  return text
}

/** With white space before it, so that two sentences side by side are the tokens of both. */
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
