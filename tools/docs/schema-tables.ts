/** JSON Schemas as tables of members, in Markdown. */
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'

/** How deep a table goes into objects inside of objects. */
const MAX_DEPTH = 3

/** A row for each member, and below an object those of its members. `meanings`: by the name of a member. */
export function membersTable(schema: JsonObject, meanings: ReadonlyMap<string, string>): string {
  const rows = [...rowsOf(schema, '', meanings, 1)]
  if (rows.length === 0) return `${shownType(schema)}\n`
  return `| Member | Type | Default | Meaning |\n| - | - | - | - |\n${rows.join('\n')}\n`
}

function* rowsOf(
  schema: JsonObject,
  prefix: string,
  meanings: ReadonlyMap<string, string>,
  depth: number,
): Generator<string> {
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const included of list(schema.allOf)) yield* rowsOf(included, prefix, meanings, depth)
  for (const [name, member] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const path = `${prefix}${name}`
    const own = isObject(member) ? member : {}
    const meaning = meanings.get(path) ?? cell(String(own.description ?? ''))
    const effect = own['x-no-effect'] === true ? 'no effect' : ''
    const need = required.includes(name) ? 'required' : defaultOf(own) || effect
    yield `| \`${path}\` | ${shownType(member)} | ${need} | ${meaning} |`
    if (depth === MAX_DEPTH) continue
    if (isObject(own.properties)) yield* rowsOf(own, `${path}.`, meanings, depth + 1)
    else if (isObject(own.items) && isObject(own.items.properties))
      yield* rowsOf(own.items, `${path}[].`, meanings, depth + 1)
  }
}

function defaultOf({ default: value }: JsonObject): string {
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``
}

/** The type of a value and its bounds: `integer, 1 to 128`. Components are links. */
export function shownType(schema: Json | undefined): string {
  if (schema === false) return 'refused'
  if (!isObject(schema)) return 'any'
  if (typeof schema.$ref === 'string') return componentLink(schema.$ref)
  if (schema.const !== undefined) return code(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ')
  const cases = [...list(schema.anyOf), ...list(schema.oneOf)]
  if (cases.length > 0 && schema.type === undefined) return [...new Set(cases.map(shownType))].join(' or ')
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []
  if (types.length === 0) return list(schema.allOf).map(shownType).join(' and ') || 'any'
  const names = types.map(type =>
    type === 'array' && isObject(schema.items) ? `array of ${shownType(schema.items)}` : String(type),
  )
  return [names.join(' or '), ...boundsOf(schema)].join(', ')
}

function componentLink(reference: string): string {
  const [component, ...inner] = reference.replace('#/components/schemas/', '').split('/')
  const name = inner.length === 0 ? component! : inner.at(-1)!
  return `[${name}](/reference/schemas#${component!.toLowerCase()})`
}

function boundsOf(schema: JsonObject): readonly string[] {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems, maxProperties } = schema
  const low = minimum ?? exclusiveMinimum
  const high = typeof maximum === 'number' && maximum >= 2 ** 31 - 1 ? undefined : maximum
  const over = minimum === undefined ? 'above' : 'at least'
  const isOpen = typeof low === 'number' && Math.abs(low) >= 2 ** 53 - 1
  return [
    ...(low === undefined || isOpen ? [] : high === undefined ? [`${over} ${low}`] : []),
    ...(high === undefined ? [] : low === undefined ? [`at most ${high}`] : [`${over} ${low}, at most ${high}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
    ...(maxProperties === undefined ? [] : [`at most ${maxProperties} members`]),
  ]
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function code(value: Json): string {
  return `\`${value === null ? 'null' : String(value)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
