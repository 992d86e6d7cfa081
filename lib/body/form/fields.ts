import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { fail } from '../../errors/errors.ts'
import { quoted, shortened, type Words, words } from '../../text/quoted.ts'

/** `file`: one file, whose value is its name. `files`: any number of them. */
type FieldType = 'text' | 'number' | 'boolean' | 'list' | 'file' | 'files'

/** Types of the fields of a form by name, from its JSON Schema. */
export function fieldTypes({ properties }: JsonObject): ReadonlyMap<string, FieldType> {
  return new Map(Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => [name, typeOf(member)]))
}

function typeOf(member: Json | undefined): FieldType {
  const { type, items, contentMediaType } = isObject(member) ? member : {}
  if (contentMediaType !== undefined) return 'file'
  if (isObject(items) && items.contentMediaType !== undefined) return 'files'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'array' ? 'list' : 'text'
}

/** Files of a form with lists of them. The schema of the route has a lower limit. */
export const MAX_FILES = 18

/** How many files a form with these fields may have. */
export function maxFiles(types: ReturnType<typeof fieldTypes>): number {
  const all = [...types.values()]
  return all.includes('files') ? MAX_FILES : all.filter(type => type === 'file').length
}

/** Refuses a form with more files. */
export function refuseFiles(types: ReturnType<typeof fieldTypes>): never {
  if (maxFiles(types) > 1) fail('http_400', { problem: 'The form has too many files.' })
  const [[name] = ['file']] = [...types].filter(([, type]) => type === 'file')
  fail('schema_validation_failed', { problem: `The form may have one '${name}'.` }, { param: name, ownParam: true })
}

/** Refuses a field that the route does not have. */
export function refuseField(name = ''): never {
  const details = { param: shortened(name), ownParam: true }
  fail('unsupported_parameter', { parameter: quoted(name), where: '' }, details)
}

/** Refuses the value of a field. */
export function refuse(problem: Words, param: string): never {
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}

/** The fields of a form as one JSON object. An invalid value stays a text, which the schema then refuses. */
export class FormFields {
  readonly value: JsonObject = {}
  readonly #types: ReadonlyMap<string, FieldType>

  constructor(types: ReadonlyMap<string, FieldType>) {
    this.#types = types
  }

  isFile(name: string): boolean {
    const type = this.#types.get(name)
    return type === 'file' || type === 'files'
  }

  /** Adds a value. Refuses a second value of a field that is not a list. */
  add(name: string, text: string): void {
    const type = this.#types.get(name) ?? 'text'
    const known = Object.hasOwn(this.value, name) ? this.value[name] : undefined
    if (type === 'list' || type === 'files') {
      this.value[name] = [...(Array.isArray(known) ? known : []), text]
      return
    }
    if (known !== undefined) {
      const problem = words`'${quoted(name)}' appears in the form twice.`
      fail('schema_validation_failed', { problem }, { param: shortened(name), ownParam: true })
    }
    // A plain assignment would not add a field named __proto__.
    Object.defineProperty(this.value, name, { value: toJson(text, type), enumerable: true, writable: true })
  }
}

const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?(?:e-?\d{1,2})?$/i

function toJson(text: string, type: FieldType): Json {
  if (type === 'number' && NUMBER.test(text)) return Number(text)
  if (type === 'boolean') {
    // Some clients send Python's str(True), which is 'True'.
    const lower = text.toLowerCase()
    if (lower === 'true' || lower === '1') return true
    if (lower === 'false' || lower === '0') return false
  }
  return text
}
