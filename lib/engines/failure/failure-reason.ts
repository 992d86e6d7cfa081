/** Why a backend failed, for operators: in the log and in records. */
import { isErrorWord, isUnit } from './error-words.ts'
import { GAP, isParameter, shortReason, withoutDumps } from './scrub.ts'

export interface FailureReason {
  /** What happened, in the gateway's words: `status 404`. */
  readonly kind: string
  /** The error of the backend. Untrusted: engines quote prompts and keys in their errors. */
  readonly text?: string
}

/**
 * The reason in at most 300 characters, without text of clients: its kind and, without zero data retention, those of
 * the backend's words that are words of errors (error-words.ts). `names`: more words to keep, from the configuration.
 */
export function reasonInWords({ kind, text = '' }: FailureReason, zdr: boolean, names: readonly string[]): string {
  const words = zdr || text === '' ? '' : errorWords(text, names)
  return words === '' ? kind : shortReason(`${kind}: ${words}`)
}

const TAGS = /<(?:style|script)[\s\S]*?<\/(?:style|script)>|<[^<>]{0,500}>/gi

/** After one of these words, engines print the value that they refuse. */
const VALUE =
  /(?:\b(?:prompts?|inputs?|contents?|messages?|texts?|values?|got|received|given|provided|arguments?)\s*[:=]|=)[\s\S]*/i

/** The status at the start of a proxy's error page: `502 Bad Gateway`. */
const STATUS = /^[45]\d\d$/

function errorWords(text: string, names: readonly string[]): string {
  const known = new Set(names)
  const plain = withoutDumps(text.replace(TAGS, ' '), inner => known.has(inner) || isParameter(inner))
  const words = plain
    .replace(VALUE, value => `${/^\w*/.exec(value)![0]} ${GAP}`)
    .split(' ')
    .filter(word => word !== '')
  const kept = words.map((word, i) => {
    return isSafe(word, words[i - 1], words[i + 1], known) || (i === 0 && STATUS.test(word)) ? word : GAP
  })
  return shortReason(withoutFragments(kept).join(' '))
}

function isSafe(word: string, before: string | undefined, after: string | undefined, known: ReadonlySet<string>) {
  const bare = bareOf(word)
  if (/^\d{1,9}(?:\.\d{1,3})?%?$/.test(bare)) return isUnit(bareOf(before)) || isUnit(bareOf(after))
  return bare === '' || known.has(bare) || isParameter(bare) || bare.split(/[-_/]/).every(isErrorWord)
}

/** The word without punctuation at both ends. */
function bareOf(word = ''): string {
  return word.replace(/^[^\w…]+|[^\w…%]+$/g, '')
}

/** After a gap, fewer words than this do not describe a failure, and may be the rest of a prompt. */
const MIN_RUN = 3

/** Joins consecutive gaps, and removes short runs of words after a gap. */
function withoutFragments(words: readonly string[]): readonly string[] {
  const kept: string[] = []
  let run: string[] = []
  let gap = false
  const endRun = () => {
    if (!gap || run.length >= MIN_RUN) kept.push(...run)
    run = []
  }
  for (const word of words) {
    if (word !== GAP) {
      run.push(word)
      continue
    }
    endRun()
    gap = true
    if (kept.at(-1) !== GAP) kept.push(GAP)
  }
  endRun()
  return kept
}
