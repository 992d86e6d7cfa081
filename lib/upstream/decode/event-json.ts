import { endOfString, isObject, isPlain, type Json, type JsonObject, parseJson, parseText } from '../../base/json.ts'

/** Where events have a piece of text, as engines write it. */
const MEMBERS = ['content', 'reasoning_content', 'reasoning', 'text'] as const
const PIECE = new RegExp(`"(${MEMBERS.join('|')})": ?"`, 'g')

/** What engines count while they generate; the last member of an event. */
const COUNTS = ['usage', 'timings'] as const

/** Events that must have repeated a pattern before it was worth another one. */
const WORTH = 16

/** As many patterns may be made in vain. */
const MOST_IN_VAIN = 4

/** Most places of an event that are tried: in any other one the first is it. */
const MOST_PLACES = 4

/** In characters: a longer event is parsed as a whole. The last one that had a pattern stays in memory while its stream waits. */
const LONGEST = 1024

/** V8 copies a shorter slice of a text. A longer one would keep all that was read with it in memory. */
const COPIED_BELOW = 13

/** An event in which one string, and the object at its end, can be replaced. */
interface Pattern {
  /** Up to the string, with its opening quote. */
  readonly head: string
  /** From its closing quote to the object, or to the end of the event. */
  readonly middle: string
  /** Name of the object; undefined: there is none. */
  readonly counts: string | undefined
  readonly value: JsonObject
  /** Has the string, as this member. */
  readonly holder: JsonObject
  readonly member: string
}

/**
 * Parses the JSON of the events of one stream. Most differ from the one before in a piece of text and in their counts alone: then
 * nothing else is parsed (docs/adr/0092-events-that-repeat.md).
 */
export class EventJson {
  #pattern: Pattern | null = null
  /** Repetitions that are left for further patterns: several choices that take turns, for instance, repeat nothing. */
  #credit = MOST_IN_VAIN * WORTH

  /** The value, which the next call may change; undefined where the text is not JSON. */
  parse(text: string): Json | undefined {
    if (text.length > LONGEST) return parseJson(text)
    const pattern = this.#pattern
    if (pattern !== null && replaced(pattern, text)) {
      if (this.#credit < MOST_IN_VAIN * WORTH) this.#credit++
      return pattern.value
    }
    const value = parseJson(text)
    if (this.#credit >= WORTH && hasPiece(value)) {
      this.#credit -= WORTH
      this.#pattern = patternOf(text, value)
    }
    return value
  }
}

/**
 * Whether the text is the event of this pattern with another string and other counts, which its value then has. Wherever the text is
 * divided: if one string and one value stand between parts that are known, it is the JSON of the pattern with these two in it.
 */
function replaced({ head, middle, counts, value, holder, member }: Pattern, text: string): boolean {
  // Not startsWith(), which V8 compiles to a loop over characters.
  if (text.slice(0, head.length) !== head) return false
  const end = counts === undefined ? text.length - middle.length : text.indexOf(middle, head.length)
  if (end < head.length || (counts === undefined ? text.slice(end) !== middle : !text.endsWith('}'))) return false
  try {
    const piece = stringAt(text, head.length, end)
    if (counts !== undefined) value[counts] = parseText(text.slice(end + middle.length, -1))
    holder[member] = piece
    return true
  } catch {
    return false
  }
}

/** The string between two quotes. Throws where it is none. */
function stringAt(text: string, start: number, end: number): string {
  if (end - start < COPIED_BELOW && isPlain(text, start, end)) return text.slice(start, end)
  return parseText(text.slice(start - 1, end + 1)) as string
}

/** Log probabilities belong to the chunk that they come with: a value that has some is not used again. */
function hasPiece(value: Json | undefined): value is JsonObject {
  if (!isObject(value)) return false
  const holders = holdersOf(value)
  return (
    holders.at(-1)?.logprobs == null && holders.some(one => MEMBERS.some(member => typeof one[member] === 'string'))
  )
}

function patternOf(event: string, value: JsonObject): Pattern | null {
  // Slices of the copy keep nothing else in memory.
  const text = Buffer.from(event).toString()
  for (const { 0: name, 1: member, index } of text.matchAll(PIECE).take(MOST_PLACES)) {
    const pattern = patternAt(text, index + name.length, value, member!)
    if (pattern !== undefined) return pattern
  }
  return null
}

/** Stands for the string, to find out which member it is. */
const PROBE = '?'

/** undefined where the string that begins here is not this member of the choice. */
function patternAt(text: string, start: number, value: JsonObject, member: string): Pattern | undefined {
  const head = text.slice(0, start)
  const tail = text.slice(endOfString(text, start))
  const counts = COUNTS.find(name => tail.includes(named(name)) && isObject(parseJson(countsOf(tail, name))))
  const middle = counts === undefined ? tail : tail.slice(0, tail.length - countsOf(tail, counts).length - 1)
  const probe = parseJson(`${head}${PROBE}${middle}${counts === undefined ? '' : '0}'}`)
  if (!isObject(probe) || (counts !== undefined && (probe[counts] !== 0 || value[counts] === 0))) return undefined
  const holders = holdersOf(value)
  const place = holdersOf(probe).findIndex((one, i) => one[member] === PROBE && holders[i]?.[member] !== PROBE)
  return place < 0 ? undefined : { head, middle, counts, value, holder: holders[place]!, member }
}

const named = (name: string) => `"${name}":`

/** What stands behind the last member of this name, up to the last brace. */
function countsOf(tail: string, name: string): string {
  return tail.slice(tail.lastIndexOf(named(name)) + named(name).length, -1)
}

/** The objects of an event that may have a piece of its reply: of chats, and of text completions. */
function holdersOf({ choices }: JsonObject): readonly JsonObject[] {
  const choice = Array.isArray(choices) ? choices[0] : undefined
  if (!isObject(choice)) return []
  return [isObject(choice.delta) ? choice.delta : {}, choice]
}
