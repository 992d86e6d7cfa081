/** What JSON Schema's keywords hold, all drafts from 4 to 2020-12 together. */

/** Members of these are schemas under names of the author's choice: `$ref` is just a name here. */
export const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])

/** What these hold is never looked into: `$ref` is a value like any other here. */
export const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** References whose meaning depends on who refers: they cannot be inlined. */
export const DYNAMIC: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef'])

/**
 * Keywords that judge a value, by the group in which they depend on each other: `additionalProperties` means something
 * else when `properties` join it. Keywords that are not here only describe.
 */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ...grouped('object', ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']),
  ...grouped('array', ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems']),
  ...grouped('array', ['contains', 'minContains', 'maxContains']),
  ...grouped('if', ['if', 'then', 'else']),
  ...alone(['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not']),
  ...alone(['required', 'dependentRequired', 'dependentSchemas', 'dependencies', 'propertyNames']),
  ...alone(['minProperties', 'maxProperties', 'minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength']),
  ...alone(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern', 'format']),
  ...alone(['contentEncoding', 'contentMediaType', 'contentSchema']),
])

/** undefined: the keyword only describes. */
export function groupOf(keyword: string): string | undefined {
  return GROUPS.get(keyword)
}

function grouped(group: string, keywords: readonly string[]): (readonly [string, string])[] {
  return keywords.map(keyword => [keyword, group])
}

function alone(keywords: readonly string[]): (readonly [string, string])[] {
  return keywords.map(keyword => [keyword, keyword])
}
