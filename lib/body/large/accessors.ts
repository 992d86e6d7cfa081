/**
 * Members whose text is detached are accessors: reading one decodes its bytes and remembers the text, assigning makes it an
 * ordinary member. Code that reads, spreads, clones or stringifies the object needs no special case.
 */
import { type Json, type JsonObject, setMember } from '../../base/json.ts'
import { HeldText, type HoldContext } from './held.ts'

/** Where an object keeps what its accessors need. Not enumerable, so that no copy has it. */
const HELD = Symbol('held texts')

interface Holder {
  /** Of an array: by index. Of an object: the first of a linked list. */
  [HELD]?: HeldText | (HeldText | undefined)[] | undefined
}

/** What the messages of a walk have in place of accessors; null outside of one (access.ts). */
let walked: HoldContext | null = null

/** Calls `walk`, in which heldText() finds the texts of members that have no accessors yet. Synchronous. */
export function findPlaceholders<M, A, T>(
  context: HoldContext,
  walk: (members: M, argument: A) => T,
  members: M,
  argument: A,
): T {
  const before = walked
  walked = context
  try {
    return walk(members, argument)
  } finally {
    walked = before
  }
}

/** The detached text of this member; undefined where it is an ordinary one. */
export function heldText(holder: object, name: PropertyKey): HeldText | undefined {
  const state = (holder as Holder)[HELD]
  if (state === undefined) return walked === null ? undefined : placeholderText(holder, name, walked)
  const held = find(state, String(name))
  return held?.isRead(holder, name) ? held : undefined
}

function placeholderText(holder: object, name: PropertyKey, context: HoldContext): HeldText | undefined {
  const value = (holder as Record<PropertyKey, unknown>)[name]
  return typeof value === 'string' && isDetached(value, context)
    ? new HeldText(String(name), value, context, undefined)
    : undefined
}

function find(state: HeldText | (HeldText | undefined)[], name: string): HeldText | undefined {
  if (Array.isArray(state)) return state[Number(name)]
  let held: HeldText | undefined = state
  while (held !== undefined && held.name !== name) held = held.next
  return held
}

/** Forgets a text: an object whose member was assigned must not keep the bytes of the whole body in memory. */
function drop(holder: Holder, name: string): void {
  const state = holder[HELD]
  if (Array.isArray(state)) {
    state[Number(name)] = undefined
  } else if (state?.name === name) {
    holder[HELD] = state.next
  } else {
    let before = state
    while (before?.next !== undefined && before.next.name !== name) before = before.next
    if (before !== undefined) before.next = before.next?.next
  }
}

/** Turns members with placeholders into accessors, in these members of `root` and everything inside of them. */
export function holdTexts(root: object, members: Iterable<string>, context: HoldContext): void {
  for (const name of members) {
    const value = (root as JsonObject)[name]
    if (typeof value === 'string') {
      if (isDetached(value, context)) holdMember(root, name, value, context)
    } else if (typeof value === 'object' && value !== null) {
      const held = holding(value, context)
      if (held !== value) setMember(root, name, held)
    }
  }
}

/** Most strings are too short for a placeholder. */
function isDetached(text: string, { texts: { token } }: HoldContext): boolean {
  return text.length > token.length && text.includes(token)
}

/** The same value, or an object that takes its place. */
function holding(value: Json[] | JsonObject, context: HoldContext): Json[] | JsonObject {
  if (!Array.isArray(value)) return holdingObject(value, context)
  for (let i = 0; i < value.length; i++) {
    const item = value[i]!
    if (typeof item === 'object' && item !== null) {
      const held = holding(item, context)
      if (held !== item) value[i] = held
    } else if (typeof item === 'string' && isDetached(item, context)) holdElement(value, i, item, context)
  }
  return value
}

/**
 * An object with texts is copied. Redefining a member of an existing object would make V8 keep that as a dictionary; adding
 * them in the same order every time gives all messages one hidden class, in half of the time.
 */
function holdingObject(object: JsonObject, context: HoldContext): JsonObject {
  let copy: JsonObject | undefined
  for (const name in object) {
    let member = object[name]
    if (typeof member === 'string' && isDetached(member, context)) {
      copy ??= membersBefore(name, object)
      holdMember(copy, name, member, context)
      continue
    }
    if (typeof member === 'object' && member !== null) {
      const held = holding(member, context)
      if (held !== member) {
        member = held
        if (copy === undefined) setMember(object, name, held)
      }
    }
    if (copy !== undefined) setMember(copy, name, member)
  }
  return copy ?? object
}

function membersBefore(end: string, object: JsonObject): JsonObject {
  const copy: JsonObject = {}
  for (const name in object) {
    if (name === end) break
    setMember(copy, name, object[name])
  }
  return copy
}

/** Makes a member of an object an accessor for a text with placeholders. */
export function holdMember(object: object, name: string, text: string, context: HoldContext): void {
  Object.defineProperty(object, name, ACCESSORS.get(name) ?? accessor(name))
  const others = (object as Holder)[HELD] as HeldText | undefined
  STATE.value = new HeldText(name, text, context, others)
  Object.defineProperty(object, HELD, STATE)
  STATE.value = undefined
}

function holdElement(array: Json[], index: number, text: string, context: HoldContext): void {
  const state = (array as Holder)[HELD] as (HeldText | undefined)[] | undefined
  const held = new HeldText(String(index), text, context, undefined)
  if (state === undefined) Object.defineProperty(array, HELD, { ...STATE, value: [] })
  ;((array as Holder)[HELD] as (HeldText | undefined)[])[index] = held
  Object.defineProperty(array, index, accessor(String(index)))
}

/** Shared descriptor: only its value changes. */
const STATE: PropertyDescriptor = { enumerable: false, writable: true, configurable: true, value: undefined }

function accessor(name: string): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: Holder): string {
      return find(this[HELD]!, name)!.value
    },
    set(this: Holder, value: unknown): void {
      Object.defineProperty(this, name, { enumerable: true, configurable: true, writable: true, value })
      drop(this, name)
    },
  }
}

/** The members that nearly all texts have share their functions, and so the hidden classes of what holds them. */
const ACCESSORS: ReadonlyMap<string, PropertyDescriptor> = new Map(
  ['content', 'text', 'url', 'reasoning', 'arguments', 'prompt', 'data', 'input', 'output', 'thinking'].map(name => [
    name,
    accessor(name),
  ]),
)
