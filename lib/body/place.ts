import { fail } from '../errors/errors.ts'
import type { OpenContainers } from './builder.ts'
import { CONVERSATION, TEXTS, type TextKind } from './detach.ts'
import { MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY } from './parse.ts'

/** Texts of at least so many bytes are taken out of a body that is scanned: shorter ones cost less where they are. */
export const SHORTEST_TEXT = 512

/** An URL that an image may be fetched from is shorter, so that it stays readable. */
export const SHORTEST_URL = 10 * 1024

/** Shorter ones are parsed by whoever mends the arguments of calls. */
export const SHORTEST_JSON = 64 * 1024

/** Members of a conversation whose strings are taken out, and from which length on; all others stay. */
const SHORTEST: Readonly<Record<TextKind, number>> = { text: SHORTEST_TEXT, url: SHORTEST_URL, json: SHORTEST_JSON }

/**
 * Where in a body a scan has come to, and so which strings may be taken out. Refuses more values and deeper nesting than a
 * body may have.
 */
export class Place implements OpenContainers {
  /** The next string is a member's name. */
  nameNext = false
  #depth = 0
  #values = 1
  /** As it is written between its quotes, in bytes; '': it was too long to be one that matters. */
  #name = ''
  readonly #isObject: boolean[] = [false]
  /** The member that holds the container; null: it stands in an array. */
  readonly #names: (string | null)[] = [null]
  /** The container is part of the conversation. */
  readonly #inConversation: boolean[] = [false]
  /** The container is part of the input of a tool call. */
  readonly #inInput: boolean[] = [false]
  /** For the strings that stand in an array itself. */
  readonly #shortestHere: number[] = [0]

  open(isObject: boolean): void {
    this.#count()
    const shortest = this.shortest()
    const inInput = this.#inInput[this.#depth]! || this.#isInput
    const inConversation = this.#continues()
    const name = this.#isObject[this.#depth]! ? this.#name : null
    if (++this.#depth > MAX_DEPTH) fail('schema_validation_failed', { problem: TOO_DEEP })
    this.#isObject[this.#depth] = isObject
    this.#names[this.#depth] = name
    this.#inConversation[this.#depth] = inConversation
    this.#inInput[this.#depth] = inInput
    this.#shortestHere[this.#depth] = inInput ? SHORTEST_JSON : shortest
    this.nameNext = isObject
  }

  close(): void {
    if (this.#depth > 0) this.#depth--
    this.nameNext = false
  }

  comma(): void {
    this.#count()
    this.nameNext = this.#isObject[this.#depth]!
  }

  named(name: string): void {
    this.#name = name
    this.nameNext = false
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

  /** Single values so far, at least as many as there are and at most twice. */
  get values(): number {
    return this.#values
  }

  /** A string here is taken out if it has at least so many bytes; 0: it stays. */
  shortest(): number {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#shortestHere[depth]!
    if (this.nameNext || this.#isInput) return 0
    if (this.#inInput[depth]) return SHORTEST_JSON
    if (depth === 1) return CONVERSATION.has(this.#name) ? SHORTEST_TEXT : 0
    const kind = this.#inConversation[depth] ? TEXTS.get(this.#name) : undefined
    return kind === undefined ? 0 : SHORTEST[kind]
  }

  /** The input of a tool call becomes JSON text inside of JSON: a string in it is escaped twice before it is sent. */
  get isEscapedTwice(): boolean {
    return this.#inInput[this.#depth]!
  }

  get #isInput(): boolean {
    const depth = this.#depth
    return depth > 1 && this.#name === 'input' && this.#isObject[depth]! && this.#inConversation[depth]!
  }

  #continues(): boolean {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#inConversation[depth]!
    return depth === 1 ? CONVERSATION.has(this.#name) : this.#inConversation[depth]! && !this.#isInput
  }

  #count(): void {
    if (++this.#values > MAX_VALUES) fail('schema_validation_failed', { problem: TOO_MANY })
  }
}
