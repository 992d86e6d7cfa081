/** Kinds of JSON Schema keywords, for drafts 4 to 2020-12 together. */

/** Keywords whose values map names to schemas: a member named `$ref` in them is no reference. */
export const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])

/** Keywords whose values are data: a member named `$ref` in them is no reference. */
export const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'example', 'examples'])

/** References whose target depends on the schema that is evaluated. They cannot be inlined. */
export const DYNAMIC: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef'])

/**
 * Keywords that constrain a value, each with the group that it depends on: `additionalProperties` changes its meaning
 * with `properties`. All other keywords are annotations.
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

/** Group of a keyword; undefined: it is an annotation. */
export function groupOf(keyword: string): string | undefined {
  return GROUPS.get(keyword)
}

function grouped(group: string, keywords: readonly string[]): (readonly [string, string])[] {
  return keywords.map(keyword => [keyword, group])
}

function alone(keywords: readonly string[]): (readonly [string, string])[] {
  return keywords.map(keyword => [keyword, keyword])
}
