/**
 * Rewrites the schema of a request body to a form that json-schema-to-typescript can express. Optional members may be
 * null. Members without effect and refused members are left out. Conditions on a member such as `type` become a union.
 */
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'
import { follow, type Located, schemaAt } from './schemas.ts'

/** Names of types by the locations of their schemas: `shared/tool.json`, `bodies/responses.json#/$defs/item`. */
export type TypeNames = Readonly<Record<string, string | { readonly name: string; readonly variants: true }>>

/**
 * The schema without references to other files: each schema with a name is a definition. `optional`: members that the
 * file requires and the type does not.
 */
export function bodySchema(file: string, names: TypeNames, optional: readonly string[] = []): JsonObject {
  const writer = new Writer(names)
  const at = schemaAt(file)
  const required = namesOf(at.schema.required).filter(name => !optional.includes(name))
  const root = writer.shape({ ...at, schema: { ...at.schema, required } })
  return { ...root, definitions: writer.definitions }
}

/** The members of an object, each with its located schema. */
interface Members {
  readonly schemas: ReadonlyMap<string, Located>
  readonly required: ReadonlySet<string>
}

/** The members that a schema adds if `member` has one of the values. */
interface Condition {
  readonly member: string
  readonly values: readonly Json[]
  readonly adds: Members
}

class Writer {
  readonly definitions: JsonObject = {}
  readonly #names: TypeNames

  constructor(names: TypeNames) {
    this.#names = names
  }

  /** The type of a member or item; a reference if the type has a name. */
  type(at: Located): JsonObject {
    const { $ref, description } = at.schema
    if (typeof $ref === 'string' && !isObject(at.schema.properties)) {
      return described(description, this.type(follow($ref, at.file)))
    }
    const named = this.#names[at.pointer === '' ? at.file : `${at.file}#${at.pointer}`]
    if (named === undefined) return this.shape(at)
    const name = typeof named === 'string' ? named : named.name
    if (this.definitions[name] === undefined) {
      // Set before the shape is computed, because the shape may refer to this definition.
      this.definitions[name] = {}
      this.definitions[name] = this.shape(at, typeof named === 'string' ? undefined : name)
    }
    return described(description, { $ref: `#/definitions/${name}` })
  }

  /** `variants`: the suffix in the names of the variants of a union; undefined: the variants have no names. */
  shape(at: Located, variants?: string): JsonObject {
    const { schema } = at
    const { type, description } = schema
    const choice = schema.oneOf ?? schema.anyOf
    if (Array.isArray(choice)) {
      const branches = choice.map((_, i) => this.type(inside(at, Array.isArray(schema.oneOf) ? 'oneOf' : 'anyOf', i)))
      return described(description, { anyOf: branches })
    }
    if (Array.isArray(type)) {
      const isSplit = isObject(schema.if) && schema.if.type === 'string'
      const branches = type.map(one => {
        if (!isSplit) return this.shape({ ...at, schema: { ...schema, type: one } })
        return this.shape(inside(at, one === 'string' ? 'then' : 'else'))
      })
      return described(description, { anyOf: branches })
    }
    if (schema.const !== undefined) return described(description, { enum: [schema.const] })
    if (Array.isArray(schema.enum)) return described(description, { enum: schema.enum })
    if (type === 'array') return described(description, { type, items: this.type(inside(at, 'items')) })
    if (isObject(schema.properties) || schema.allOf !== undefined)
      return described(description, this.#object(at, variants))
    if (type === 'object' && isObject(schema.additionalProperties)) {
      return described(description, { type, additionalProperties: this.type(inside(at, 'additionalProperties')) })
    }
    if (type === 'object') return described(description, { tsType: 'JsonObject' })
    return described(description, type === undefined ? { tsType: 'Json' } : { type })
  }

  #object(at: Located, variants: string | undefined): JsonObject {
    const base = membersOf(at)
    const conditions = conditionsOf(at)
    const member = conditions[0]?.member
    if (member === undefined) return this.#members(base)

    const specific = new Set(conditions.flatMap(({ adds }) => namesWithType(adds)))
    const branches = groupsOf(at, base, conditions, member).map(values => {
      const applied = conditions.filter(condition => values.some(value => condition.values.includes(value)))
      const all = merged([base, ...applied.map(({ adds }) => withoutAny(adds, specific))])
      const isRequired = base.required.has(member) || applied.length > 0
      const tag = { [member]: { enum: isRequired ? values : [...values, null] } }
      const type = this.#members(
        { ...all, required: isRequired ? all.required.union(new Set([member])) : all.required },
        tag,
      )
      if (variants === undefined || values.length > 1) return type
      const name = `${pascal(String(values[0]))}${variants}`
      this.definitions[name] = type
      return { $ref: `#/definitions/${name}` }
    })
    // A schema without a type accepts values that are no objects. The type null represents all of them.
    if (at.schema.type === undefined) branches.push({ type: 'null' })
    return branches.length === 1 ? branches[0]! : { anyOf: branches }
  }

  /** `tag`: the member that selects a variant, with its type. */
  #members({ schemas, required }: Members, tag: JsonObject = {}): JsonObject {
    const properties: JsonObject = { ...tag }
    for (const [name, at] of schemas) {
      if (name in tag) continue
      const type = this.type(at)
      properties[name] = required.has(name) || type.tsType === 'Json' ? type : orNull(type)
    }
    return {
      type: 'object',
      properties,
      required: [...required].filter(name => name in properties),
      additionalProperties: false,
    }
  }
}

/** The values of the member that selects a variant, grouped by the conditions that apply to them. */
function groupsOf(at: Located, base: Members, conditions: readonly Condition[], member: string): readonly Json[][] {
  const tag = base.schemas.get(member)?.schema ?? {}
  const others = [tag.examples ?? [], at.schema.examples ?? []].flat().map(one => (isObject(one) ? one[member] : one))
  const values = [...valuesOf(tag), ...conditions.flatMap(condition => condition.values), ...others]
  const known = [...new Set(values)].filter(value => value !== undefined)
  return [...Map.groupBy(known, value => conditions.map(condition => condition.values.includes(value)).join()).values()]
}

function namesWithType({ schemas }: Members): readonly string[] {
  return [...schemas].filter(([, { schema }]) => !isAny(schema)).map(([name]) => name)
}

/** The members of a schema, of the schema that it refers to, and of conditions that depend on no value. */
function membersOf(at: Located): Members {
  const { schema } = at
  const own = Object.keys(isObject(schema.properties) ? schema.properties : {}).map(name =>
    inside(at, 'properties', name),
  )
  const kept = own.filter(({ schema: member }) => member['x-no-effect'] !== true && member.not === undefined)
  const required = new Set(namesOf(schema.required))
  const all: Members[] = [{ schemas: new Map(kept.map(one => [one.pointer.replace(/^.*\//, ''), one])), required }]
  if (typeof schema.$ref === 'string') all.unshift(membersOf(follow(schema.$ref, at.file)))
  if (isObject(schema.if) && schema.if.required === undefined) all.push(membersOf(inside(at, 'then')))
  return merged(all)
}

function conditionsOf(at: Located): readonly Condition[] {
  const candidates = Array.isArray(at.schema.allOf) ? at.schema.allOf.map((_, i) => inside(at, 'allOf', i)) : [at]
  return candidates.flatMap(candidate => {
    const test = candidate.schema.if
    if (!isObject(test) || !isObject(test.properties) || test.required === undefined) return []
    const [[member, tag] = []] = Object.entries(test.properties)
    return member === undefined || !isObject(tag)
      ? []
      : [{ member, values: valuesOf(tag), adds: membersOf(inside(candidate, 'then')) }]
  })
}

function merged(all: readonly Members[]): Members {
  const schemas = new Map<string, Located>()
  for (const [name, at] of all.flatMap(members => [...members.schemas])) {
    const before = schemas.get(name)
    if (before === undefined || !isAny(at.schema)) schemas.set(name, at)
  }
  return { schemas, required: new Set(all.flatMap(({ required }) => [...required])) }
}

/** Removes members that may have any value here and have a type under another condition (`specific`). */
function withoutAny({ schemas, required }: Members, specific: ReadonlySet<string>): Members {
  return {
    schemas: new Map([...schemas].filter(([name, { schema }]) => !isAny(schema) || !specific.has(name))),
    required,
  }
}

function namesOf(required: Json | undefined): string[] {
  return Array.isArray(required) ? required.filter(name => typeof name === 'string') : []
}

function isAny(schema: JsonObject): boolean {
  return Object.keys(schema).every(keyword => keyword === 'description' || keyword === 'examples')
}

function valuesOf(tag: JsonObject): readonly Json[] {
  if (tag.const !== undefined) return [tag.const]
  return Array.isArray(tag.enum) ? tag.enum : []
}

/** The schema below a keyword. `true` means a schema without keywords, `false` one that refuses everything. */
function inside(at: Located, ...names: readonly (string | number)[]): Located {
  let schema: Json | undefined = at.schema
  for (const name of names) schema = (schema as JsonObject | undefined)?.[name]
  const written = schema === false ? { not: {} } : isObject(schema) ? schema : {}
  return { schema: written, file: at.file, pointer: [at.pointer, ...names].join('/') }
}

function orNull(type: JsonObject): JsonObject {
  const { description, ...bare } = type
  return described(description, { anyOf: [bare, { type: 'null' }] })
}

function described(description: Json | undefined, type: JsonObject): JsonObject {
  if (description === undefined) return type
  return type.$ref === undefined ? { ...type, description } : { allOf: [type], description }
}

function pascal(text: string): string {
  return text.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
