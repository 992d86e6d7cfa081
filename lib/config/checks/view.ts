/** Reads members of a file that its schema may have refused: members of a wrong type, which it reports, are skipped. */
import { isObject, type Json, type JsonObject } from '../../base/json.ts'

export type Report = (path: string, message: string) => void

export interface Item<T> {
  readonly path: string
  readonly value: T
}

export function objects(parent: JsonObject, name: string, at = ''): readonly Item<JsonObject>[] {
  return items(parent, name, at).filter((item): item is Item<JsonObject> => isObject(item.value))
}

export function texts(parent: JsonObject, name: string, at = ''): readonly Item<string>[] {
  return items(parent, name, at).filter((item): item is Item<string> => typeof item.value === 'string')
}

export function object(parent: JsonObject, name: string): JsonObject {
  const value = parent[name]
  return isObject(value) ? value : {}
}

export function text(parent: JsonObject, name: string): string | undefined {
  const value = parent[name]
  return typeof value === 'string' ? value : undefined
}

/** The values at a path of names; `*`: every entry of an array or object. */
export function occurrences(value: Json, names: readonly string[], path: readonly string[] = []): Item<Json>[] {
  const [name, ...rest] = names
  if (name === undefined) return [{ path: path.join('.'), value }]
  if (name === '*') {
    const entries = isObject(value) || Array.isArray(value) ? Object.entries(value) : []
    return entries.flatMap(([key, inner]) => occurrences(inner as Json, rest, [...path, key]))
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return []
  return occurrences(value[name]!, rest, [...path, name])
}

/** Reports the second use of a value. */
export class Unique {
  readonly #seen = new Map<string, string>()
  readonly #report: Report

  constructor(report: Report) {
    this.#report = report
  }

  /** `message` receives the path of the first use. */
  claim(value: string | undefined, path: string, message: (first: string) => string): void {
    if (value === undefined) return
    const first = this.#seen.get(value)
    if (first === undefined) this.#seen.set(value, path)
    else this.#report(path, message(first))
  }
}

function items(parent: JsonObject, name: string, at: string): readonly Item<Json>[] {
  const list = parent[name]
  const path = at === '' ? name : `${at}.${name}`
  return Array.isArray(list) ? list.map((value, i) => ({ path: `${path}.${i}`, value })) : []
}
