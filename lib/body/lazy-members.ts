/**
 * Members whose text is lazy are accessors: reading one decodes its bytes, assigning makes it an ordinary member. Code that
 * reads, spreads, clones or stringifies the object needs no special case.
 */
import type { Json, JsonObject } from '../base/json.ts'
import { LazyText, type LongTexts } from './long-texts.ts'

/** Where an object keeps the lazy texts of its members, by name. Not enumerable, so that no copy has it. */
const LAZY = Symbol('lazy texts')

interface Holder {
  [LAZY]?: Map<string, LazyText>
}

const ALL = Symbol('texts of every body')

/** The body whose texts read as templates at the moment. */
let shown: LongTexts | typeof ALL | null = null

function showing<T>(whose: LongTexts | typeof ALL, use: () => T): T {
  const before = shown
  shown = whose
  try {
    return use()
  } finally {
    shown = before
  }
}

/** Calls `use`, in which lazy texts of this body read as templates: for code that copies texts and does not look into them. */
export function withTemplates<T>(texts: LongTexts, use: () => T): T {
  return showing(texts, use)
}

/**
 * Calls `look`, in which lazy texts are not decoded and read as their start and a placeholder: for code that measures large
 * values and keeps nothing of them. Synchronous.
 */
export function withoutDecoding<T>(look: () => T): T {
  return showing(ALL, look)
}

/** The lazy text of this member; undefined: it is an ordinary one. */
export function lazyText(holder: object, name: PropertyKey): LazyText | undefined {
  const lazy = (holder as Holder)[LAZY]?.get(String(name))
  if (lazy === undefined) return undefined
  // The member may have been deleted or redefined.
  const value = withoutDecoding(() => (holder as Record<PropertyKey, unknown>)[name])
  return value === lazy.template ? lazy : undefined
}

/** Makes a member of an object or an element of an array lazy. */
export function defineLazy(holder: object, name: string, lazy: LazyText): void {
  const own = holder as Holder
  if (!Object.hasOwn(own, LAZY)) Object.defineProperty(own, LAZY, { value: new Map() })
  own[LAZY]!.set(name, lazy)
  Object.defineProperty(holder, name, accessorOf(name))
}

/**
 * Makes every member lazy that holds a placeholder, in these members of `root` and everything inside of them. Nesting is
 * bounded by MAX_DEPTH.
 */
export function makeLazy(root: object, texts: LongTexts, names: Iterable<string> = Object.keys(root)): void {
  if (texts.count === 0) return
  for (const name of names) {
    const value = (root as JsonObject)[name]
    if (typeof value === 'string') {
      if (texts.isIn(value)) defineLazy(root, name, new LazyText(texts, value))
    } else if (typeof value === 'object' && value !== null) makeLazy(value, texts)
  }
}

/**
 * One accessor for each name, shared by all objects. V8 keeps accessors in the hidden class of their object, in its old
 * generation: accessors made for one body would keep its bytes in memory until the next full collection.
 */
const accessors = new Map<string, PropertyDescriptor>()

/** Names of members and indexes come from clients. */
const MAX_ACCESSORS = 1000

function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name)
  if (accessor === undefined) {
    accessor = newAccessor(name)
    if (accessors.size < MAX_ACCESSORS) accessors.set(name, accessor)
  }
  return accessor
}

function newAccessor(name: string): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: Holder): string {
      const lazy = this[LAZY]!.get(name)!
      return shown === lazy.texts || shown === ALL ? lazy.template : lazy.text
    },
    set(this: Holder, value: Json): void {
      Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value })
      // An object derived from the holder shares its texts.
      if (Object.hasOwn(this, LAZY)) this[LAZY]!.delete(name)
    },
  }
}
