/**
 * The schema of a request body, in a form that json-schema-to-typescript can express. Optional members may be null, members
 * without effect and refused ones are left out, and conditions on a member such as `type` become a union.
 */
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'
import { follow, type Located, schemaAt } from './schemas.ts'

/** Names of types by where their schemas stand: `shared/tool.json`, `bodies/responses.json#/$defs/item`. */
export type TypeNames = Readonly<Record<string, string | { readonly name: string; readonly variants: true }>>

/** A schema without references to other files: each one with a name is a definition. `optional`: members that are required elsewhere. */
export function bodySchema(file: string, names: TypeNames, optional: readonly string[] = []): JsonObject {
  const writer = new Writer(names)
  const at = schemaAt(file)
  const required = namesOf(at.schema.required).filter(name => !optional.includes(name))
  const root = writer.shape({ ...at, schema: { ...at.schema, required } })
  return { ...root, definitions: writer.definitions }
}

/** The members of an object, each with the place of its schema. */
interface Members {
  readonly schemas: ReadonlyMap<string, Located>
  readonly required: ReadonlySet<string>
}

/** What a schema adds where the member has one of the values. */
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

  /** The type of a member or item: a reference where it has a name. */
  type(at: Located): JsonObject {
    const { $ref, description } = at.schema
    if (typeof $ref === 'string' && !isObject(at.schema.properties)) {
      return described(description, this.type(follow($ref, at.file)))
    }
    const named = this.#names[at.pointer === '' ? at.file : `${at.file}#${at.pointer}`]
    if (named === undefined) return this.shape(at)
    const name = typeof named === 'string' ? named : named.name
    if (this.definitions[name] === undefined) {
      // Before its shape, which may refer to it.
      this.definitions[name] = {}
      this.definitions[name] = this.shape(at, typeof named === 'string' ? undefined : name)
    }
    return described(description, { $ref: `#/definitions/${name}` })
  }

  /** `variants`: the suffix of names for the variants of a union; undefined: they have none. */
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
      const isThere = base.required.has(member) || applied.length > 0
      const tag = { [member]: { enum: isThere ? values : [...values, null] } }
      const type = this.#members(
        { ...all, required: isThere ? all.required.union(new Set([member])) : all.required },
        tag,
      )
      if (variants === undefined || values.length > 1) return type
      const name = `${pascal(String(values[0]))}${variants}`
      this.definitions[name] = type
      return { $ref: `#/definitions/${name}` }
    })
    // What is no object is not refused by the schema: null stands for all of it.
    if (at.schema.type === undefined) branches.push({ type: 'null' })
    return branches.length === 1 ? branches[0]! : { anyOf: branches }
  }

  /** `tag`: the member that decides between variants, with its type. */
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

/** The values of the member that decides, in groups to which the same conditions apply. */
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

/** The members that a schema names, those of the schema it refers to, and those of conditions that no value decides. */
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
  const places = Array.isArray(at.schema.allOf) ? at.schema.allOf.map((_, i) => inside(at, 'allOf', i)) : [at]
  return places.flatMap(place => {
    const test = place.schema.if
    if (!isObject(test) || !isObject(test.properties) || test.required === undefined) return []
    const [[member, tag] = []] = Object.entries(test.properties)
    return member === undefined || !isObject(tag)
      ? []
      : [{ member, values: valuesOf(tag), adds: membersOf(inside(place, 'then')) }]
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

/** Without members that may be anything here and are something in particular under another condition. */
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

/** The schema below a keyword. `true` is the one without keywords, `false` the one that refuses everything. */
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
