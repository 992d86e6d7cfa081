import { fail } from '../../errors/errors.ts'
import { MAX_DEPTH, MAX_VALUES, MAX_WEIGHT, TOO_DEEP, TOO_HEAVY } from '../json-limits.ts'
import { WEIGHT } from '../weight.ts'
import type { OpenContainers } from './builder.ts'

/** Members of a chat that hold what a model reads, in all formats. */
const CHAT = ['messages', 'input', 'system', 'instructions', 'prompt'] as const

/** Members of a body that hold what a model reads, on all routes. Rules look at everything else, schemas above all. */
export const CONVERSATION: ReadonlySet<string> = new Set([...CHAT, 'documents', 'query', 'items', 'text_1', 'text_2'])

/** json: text that is JSON itself. */
type TextKind = 'text' | 'url' | 'json'

/** Members of a conversation that hold text or an image. Names, roles and ids are compared by rules: they are not detached. */
const TEXTS: ReadonlyMap<string, TextKind> = new Map([
  ...CHAT.map(name => [name, name === 'input' ? 'json' : 'text'] as const),
  ['content', 'text'],
  ['text', 'text'],
  ['thinking', 'text'],
  ['reasoning', 'text'],
  ['reasoning_content', 'text'],
  ['refusal', 'text'],
  ['output', 'text'],
  ['arguments', 'json'],
  ['url', 'url'],
  ['image_url', 'url'],
  ['data', 'url'],
])

/** Fewest bytes of a text to be detached. */
export type ShortestTexts = Readonly<Record<TextKind, number>>

/**
 * Shorter texts cost less where they are. URLs that an image may be fetched from are shorter than 10 KB, and are read; so are
 * arguments of tool calls up to 64 KB, which the tools rule parses.
 */
export const SHORTEST: ShortestTexts = { text: 512, url: 10 * 1024, json: 64 * 1024 }

/** The position of the scanner in a body. Decides which strings are detached; weighs its values, and refuses too many of them and too deep nesting. */
export class Position implements OpenContainers {
  /** The next string is a member's name. */
  nameNext = false
  readonly #shortest: ShortestTexts
  #depth = 0
  #values = 1
  /** Bytes of heap that the values take beside those of their texts. */
  #weight: number = WEIGHT.value
  #textBytes = 0
  /** Name of the current member as written, bytes as Latin-1; '': longer than any that matters. */
  #name = ''
  readonly #isObject: boolean[] = [false]
  /** By depth: the member that holds the container; null: an array holds it. */
  readonly #names: (string | null)[] = [null]
  /** By depth: the container is part of the conversation. */
  readonly #inConversation: boolean[] = [false]
  /** By depth: the container is part of the input of a tool call. */
  readonly #inInput: boolean[] = [false]
  /** By depth: what shortest() is for strings directly in this array. */
  readonly #shortestHere: number[] = [0]

  constructor(shortest: ShortestTexts = SHORTEST) {
    this.#shortest = shortest
  }

  open(isObject: boolean): void {
    this.#values++
    this.#weigh(isObject ? WEIGHT.object : WEIGHT.array)
    const shortest = this.shortest()
    const inInput = this.#inInput[this.#depth]! || this.isInput
    const inConversation = this.#continues()
    const name = this.#isObject[this.#depth]! ? this.#name : null
    if (++this.#depth > MAX_DEPTH) fail('schema_validation_failed', { problem: TOO_DEEP })
    this.#isObject[this.#depth] = isObject
    this.#names[this.#depth] = name
    this.#inConversation[this.#depth] = inConversation
    this.#inInput[this.#depth] = inInput
    this.#shortestHere[this.#depth] = inInput ? this.#shortest.json : shortest
    this.nameNext = isObject
  }

  close(): void {
    if (this.#depth > 0) this.#depth--
    this.nameNext = false
  }

  comma(): void {
    this.#values++
    this.#weigh(WEIGHT.value)
    this.nameNext = this.#isObject[this.#depth]!
  }

  named(name: string): void {
    this.#name = name
    this.nameNext = false
    this.#weigh(WEIGHT.member)
  }

  get depth(): number {
    return this.#depth
  }

  isObject(depth: number): boolean {
    return this.#isObject[depth]!
  }

  nameOf(depth: number): string | null {
    const name = this.#names[depth]!
    return name === null || name === '' ? null : `"${Buffer.from(name, 'latin1').toString()}"`
  }

  /** JSON values so far: at least as many as there are, at most twice as many. */
  get values(): number {
    return this.#values
  }

  /** Bytes of heap that the values so far take, about. */
  get weight(): number {
    return this.#weight + this.#textBytes
  }

  /** A string value that is not detached, with its bytes so far. */
  text(bytes: number): void {
    this.#weigh(WEIGHT.string)
    this.moreText(bytes)
  }

  /** More bytes of the last string. */
  moreText(bytes: number): void {
    this.#textBytes += bytes
  }

  /** Fewest bytes of a string at this position to be detached; 0: it is never detached. */
  shortest(): number {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#shortestHere[depth]!
    if (this.nameNext || this.isInput) return 0
    if (this.#inInput[depth]) return this.#shortest.json
    if (depth === 1) return CONVERSATION.has(this.#name) ? this.#shortest.text : 0
    const kind = this.#inConversation[depth] ? TEXTS.get(this.#name) : undefined
    return kind === undefined ? 0 : this.#shortest[kind]
  }

  /** The input of a tool call becomes JSON text inside of JSON: its strings are escaped twice before they are sent. */
  get isEscapedTwice(): boolean {
    return this.#inInput[this.#depth]!
  }

  /** The next value is the input of a tool call: a text there may become JSON text inside of JSON. */
  get isInput(): boolean {
    const depth = this.#depth
    return depth > 1 && this.#name === 'input' && this.#isObject[depth]! && this.#inConversation[depth]!
  }

  #continues(): boolean {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#inConversation[depth]!
    return depth === 1 ? CONVERSATION.has(this.#name) : this.#inConversation[depth]! && !this.isInput
  }

  #weigh(bytes: number): void {
    this.#weight += bytes
    if (this.#weight > MAX_WEIGHT || this.#values > MAX_VALUES) fail('schema_validation_failed', { problem: TOO_HEAVY })
  }
}
