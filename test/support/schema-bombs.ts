/** Tool schemas that are small to send and expensive to expand, compile or print, by name. */
import type { Json, JsonObject } from '../../lib/base/json.ts'

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))
const named = (count: number, of: (i: number) => Json): JsonObject =>
  Object.fromEntries(many(count, i => [`d${i}`, of(i)]))
const to = (i: number): JsonObject => ({ $ref: `#/$defs/d${i}` })
const start: JsonObject = { a: to(0) }
/** Only the last definition has content. */
const chained = (count: number, link: (next: number) => Json): JsonObject => ({
  properties: start,
  $defs: named(count, i => (i + 1 < count ? link(i + 1) : { type: 'string' })),
})
const big = (properties: number): JsonObject => ({ properties: named(properties, () => ({ type: 'string' })) })
const nested = (depth: number, keyword: string, inner: Json): Json =>
  depth === 0 ? inner : { [keyword]: nested(depth - 1, keyword, inner) }

export function* schemaBombs(): Generator<readonly [name: string, parameters: readonly JsonObject[]]> {
  const one = (name: string, schema: JsonObject) => [name, [schema]] as const

  for (const levels of [5, 10, 22, 30, 60, 1000, 20_000]) {
    yield one(
      `${levels} levels of two references`,
      chained(levels, i => ({ properties: { a: to(i), b: to(i) } })),
    )
    yield one(
      `${levels} levels in anyOf`,
      chained(levels, i => ({ anyOf: [to(i), to(i), to(i)] })),
    )
    yield one(
      `${levels} levels with descriptions`,
      chained(levels, i => ({ allOf: many(2, () => ({ ...to(i), title: 't' })) })),
    )
    yield one(
      `${levels} levels with rules`,
      chained(levels, i => ({ items: { ...to(i), minLength: 1 }, not: to(i) })),
    )
    yield one(`a chain of ${levels}`, chained(levels, to))
    yield one(
      `a chain of ${levels} with descriptions`,
      chained(levels, i => ({ ...to(i), title: 't' })),
    )
    yield one(
      `a chain of ${levels} with rules`,
      chained(levels, i => ({ ...to(i), minLength: 1 })),
    )
    yield one(`a circle of ${levels}`, { properties: start, $defs: named(levels, i => to((i + 1) % levels)) })
    yield one(`a wide circle of ${levels}`, {
      properties: start,
      $defs: named(levels, i => ({ properties: { x: to((i + 1) % levels), y: to(0) } })),
    })
    yield one(`${levels} that refer to each other`, {
      properties: start,
      $defs: named(Math.min(levels, 100), () => ({ anyOf: many(Math.min(levels, 100), to) })),
    })
  }

  for (const [uses, size] of [
    [5000, 2000],
    [50_000, 1],
    [1000, 1000],
    [20_000, 20],
    [100, 10_000],
    [2, 60_000],
  ] as const) {
    const $defs = { d0: big(size) }
    yield one(`${uses} references to ${size} properties`, { properties: named(uses, () => to(0)), $defs })
    yield one(`${uses} with descriptions to ${size} properties`, {
      properties: named(uses, i => ({ ...to(0), description: `${i}` })),
      $defs,
    })
    yield one(`${uses} with properties to ${size} properties`, {
      properties: named(uses, () => ({ ...to(0), properties: { d1: {} } })),
      $defs,
    })
    yield one(`${uses} tools of ${size} properties`, { properties: start, $defs })
    yield [
      `${Math.min(uses, 2000)} tools with ${Math.min(size, 500)} references`,
      many(Math.min(uses, 2000), () => ({
        properties: named(Math.min(size, 500), i => to(i)),
        $defs: named(Math.min(size, 500), () => ({ type: 'string' })),
      })),
    ]
    yield one(`${uses} definitions of ${size} that nobody uses`, {
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: named(Math.min(uses, 100), () => big(Math.min(size, 1000))),
    })
  }

  for (const length of [1000, 10_000, 100_000, 400_000]) {
    const long = 'x'.repeat(length)
    yield one(`500 references to a text of ${length}`, {
      properties: named(500, () => to(0)),
      $defs: { d0: { description: long } },
    })
    yield one(`a reference of ${length}`, { properties: { a: { $ref: `#/$defs/${long}` } }, $defs: { [long]: {} } })
    yield one(`a reference of ${length} steps`, { properties: { a: { $ref: `#${'/a'.repeat(length)}` } } })
    yield one(`a reference of ${length} escapes`, { properties: { a: { $ref: `#/${'~1'.repeat(length)}` } } })
    yield one(`a reference of ${length} percents`, { properties: { a: { $ref: `#/${'%'.repeat(length)}` } } })
    yield one(`2,000 members under a name of ${length}`, {
      properties: { [long]: { properties: named(2000, () => ({ type: 'string' })) }, a: to(0) },
      $defs: { d0: {} },
    })
    yield one(`60 levels of names of ${length}`, {
      properties: { a: to(0) },
      $defs: { d0: nested(60, long, {}) as JsonObject },
    })
    yield one(`${length} values in an enum that 100 refer to`, {
      properties: named(100, () => to(0)),
      $defs: { d0: { enum: many(Math.min(length, 100_000), i => i) } },
    })
    yield one(`${length} references in data`, {
      properties: start,
      $defs: { d0: { default: many(Math.min(length, 50_000), () => to(0)) } },
    })
  }

  for (const depth of [30, 63, 64, 65, 100]) {
    for (const keyword of ['not', 'items', 'default', 'x-unknown']) {
      yield one(`${depth} levels of ${keyword} around a reference`, {
        properties: { a: nested(depth, keyword, to(0)) },
        $defs: { d0: { type: 'string' } },
      })
    }
    yield one(`${depth} levels behind each other`, {
      properties: start,
      $defs: named(20, i => (i < 19 ? nested(depth, 'not', to(i + 1)) : {})),
    })
  }
}
