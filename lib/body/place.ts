import { fail } from '../errors.ts'
import { CONVERSATION, TEXTS, type TextKind } from './detach.ts'
import { MAX_DEPTH, MAX_VALUES, TOO_DEEP, TOO_MANY } from './parse.ts'

/** Texts of at least so many bytes are taken out of a body that is scanned: shorter ones cost less where they are. */
export const SHORTEST_TEXT = 1024

/** An URL that an image may be fetched from is shorter, so that it stays readable. */
export const SHORTEST_URL = 10 * 1024

/** Members of a conversation whose strings are taken out, and from which length on; all others stay. */
const SHORTEST: Readonly<Record<TextKind, number>> = { text: SHORTEST_TEXT, url: SHORTEST_URL, json: 0 }

/**
 * Where in a body a scan has come to, and so which strings may be taken out: the same that detach() would take, but for
 * those that are JSON themselves. Refuses more values and deeper nesting than a body may have.
 */
export class Place {
  /** The next string is a member's name. */
  nameNext = false
  #depth = 0
  #values = 1
  #name = ''
  /** The name in the body itself. */
  #member = ''
  readonly #isObject: boolean[] = [false]
  /** The container is part of the conversation. */
  readonly #inConversation: boolean[] = [false]
  /** For the strings that stand in an array itself. */
  readonly #shortestHere: number[] = [0]

  open(isObject: boolean): void {
    this.#count()
    const shortest = this.shortest()
    const inConversation = this.#continues()
    if (++this.#depth > MAX_DEPTH) fail('schema_validation_failed', { problem: TOO_DEEP })
    this.#isObject[this.#depth] = isObject
    this.#inConversation[this.#depth] = inConversation
    this.#shortestHere[this.#depth] = shortest
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
    if (this.#depth === 1) this.#member = name
    this.nameNext = false
  }

  /** Right in a list of the body's conversation, between its items. */
  get inList(): boolean {
    return this.#depth === 2 && !this.#isObject[2]! && this.#inConversation[2]!
  }

  /** The member of the body that came last. */
  get listName(): string {
    return this.#member
  }

  /** Single values so far, at least as many as there are and at most twice. */
  get values(): number {
    return this.#values
  }

  /** A string here is taken out if it has at least so many bytes; 0: it stays. */
  shortest(): number {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#shortestHere[depth]!
    if (this.nameNext) return 0
    if (depth === 1) return CONVERSATION.has(this.#name) ? SHORTEST_TEXT : 0
    const kind = this.#inConversation[depth] ? TEXTS.get(this.#name) : undefined
    return kind === undefined ? 0 : SHORTEST[kind]
  }

  #continues(): boolean {
    const depth = this.#depth
    if (!this.#isObject[depth]) return this.#inConversation[depth]!
    if (depth === 1) return CONVERSATION.has(this.#name)
    // The input of a tool call becomes JSON text inside of JSON, and its strings would be escaped once too little.
    return this.#inConversation[depth]! && this.#name !== 'input'
  }

  #count(): void {
    if (++this.#values > MAX_VALUES) fail('schema_validation_failed', { problem: TOO_MANY })
  }
}
