/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject
/** A JSON object. Any member may be missing. */
export interface JsonObject {
  [name: string]: Json | undefined
}

/** True for a JSON object: neither null, an array nor a scalar. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed value, or undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** True when arrays and objects are nested deeper than `limit`. Recursion stops there, so no input can exhaust the stack. */
export function isDeeperThan(value: Json | undefined, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && isDeeperThan(item, limit - 1)) return true
    }
    return false
  }
  for (const name in value) {
    const member = value[name]
    if (typeof member === 'object' && isDeeperThan(member, limit - 1)) return true
  }
  return false
}
