/** Texts that are kept as bytes, and what reading them gives at the moment: the text, or its placeholders. */
import type { Steps } from '../../base/steps.ts'
import type { DetachedTexts, TextScanner } from './texts.ts'

/** Stands for all bodies. */
const EVERY = Symbol('texts of every body')

/** Whose texts are shown as placeholders at the moment. */
let shown: DetachedTexts | typeof EVERY | null = null

function showing<T>(whose: DetachedTexts | typeof EVERY, use: () => T): T {
  const before = shown
  shown = whose
  try {
    return use()
  } finally {
    shown = before
  }
}

/** In each step of long work. In its pauses members read as their texts. */
function* showingInSteps<T>(whose: DetachedTexts | typeof EVERY, steps: Steps<T>): Steps<T> {
  for (;;) {
    const { done, value } = showing(whose, () => steps.next())
    if (done === true) return value
    yield
  }
}

/**
 * Calls `use`, in which members with detached texts of this body read as placeholders: for code that copies texts and does
 * not look into them. Synchronous.
 */
export function showPlaceholders<T>(texts: DetachedTexts, use: () => T): T {
  return showing(texts, use)
}

/** The same for work that may pause. */
export function showInSteps<T>(texts: DetachedTexts, steps: Steps<T>): Steps<T> {
  return showingInSteps(texts, steps)
}

/**
 * Calls `look`, in which long texts are not decoded and may read as their start alone: for code that looks at structure and sizes
 * of large values, and keeps nothing of them. Synchronous.
 */
export function withoutDecoding<T>(look: () => T): T {
  return showing(EVERY, look)
}

/** The same for a look that may pause. */
export function withoutDecodingInSteps<T>(steps: Steps<T>): Steps<T> {
  return showingInSteps(EVERY, steps)
}

/** True inside of code that copies the texts of this body, or reads members without decoding them. */
export function showsPlaceholders(texts: DetachedTexts): boolean {
  return shown === texts || shown === EVERY
}

/** Reads a member without decoding it: a detached text, of whatever body, is returned with its placeholders. */
export function readUndecoded<T extends object, K extends keyof T>(holder: T, name: K): T[K] {
  const before = shown
  shown = EVERY
  try {
    return holder[name]
  } finally {
    shown = before
  }
}

/**
 * One member of an object, or one element of an array, whose text is detached. Fields are not private to the engine, which
 * takes twice as long to create those: a body may have 100,000 of these.
 */
export class HeldText {
  readonly name: string
  next: HeldText | undefined
  readonly context: HoldContext
  /** With placeholders. */
  private readonly placeholders: string
  private text: string | undefined

  constructor(name: string, text: string, context: HoldContext, next: HeldText | undefined) {
    this.name = name
    this.next = next
    this.context = context
    this.placeholders = text
    this.text = undefined
  }

  get value(): string {
    const { texts, escapes } = this.context
    if (showsPlaceholders(texts)) return this.placeholders
    this.text ??= texts.read(this.placeholders, escapes)
    return this.text
  }

  /** True while the member reads as this text: it may have been assigned, deleted or redefined. */
  isRead(holder: object, name: PropertyKey): boolean {
    return readUndecoded(holder as Record<PropertyKey, unknown>, name) === this.placeholders
  }

  /** As it is in memory: neither decoded nor copied. */
  scan(scanner: TextScanner): void {
    if (this.text === undefined) this.context.texts.scan(this.placeholders, scanner)
    else scanner.text(this.text, 0, this.text.length)
  }

  /** Decoded piece by piece, as far as the caller iterates. */
  pieces(): Iterable<string> {
    const { texts, escapes } = this.context
    return this.text === undefined ? texts.pieces(this.placeholders, escapes) : [this.text]
  }

  /** At least the last `count` characters. */
  end(count: number): string {
    const { texts, escapes } = this.context
    return this.text ?? texts.end(this.placeholders, escapes, count)
  }

  get byteLength(): number {
    return this.text === undefined ? this.context.texts.byteLength(this.placeholders) : Buffer.byteLength(this.text)
  }

  /** At least as many characters as it has. */
  get mostCharacters(): number {
    return this.text?.length ?? this.context.texts.mostCharacters(this.placeholders)
  }

  /** The same text with another start; undefined where its first `count` characters are not at hand. */
  withStart(count: number, by: string): string | undefined {
    const at = this.placeholders.indexOf(this.context.texts.token)
    return at < count ? undefined : by + this.placeholders.slice(count)
  }
}

export interface HoldContext {
  readonly texts: DetachedTexts
  /** Escapes to remove from texts that were escaped twice: both where they are values, one where they are part of JSON text. */
  readonly escapes: 1 | 2
}
