import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { fail } from '../../errors/errors.ts'
import { quoted, shortened, words } from '../../text/quoted.ts'

type FieldType = 'text' | 'number' | 'boolean' | 'list'

/** Types of the fields of a form by name, from its JSON Schema. */
export function fieldTypes({ properties }: JsonObject): ReadonlyMap<string, FieldType> {
  return new Map(Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => [name, typeOf(member)]))
}

function typeOf(member: Json | undefined): FieldType {
  const type = isObject(member) ? member.type : undefined
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'array' ? 'list' : 'text'
}

/** The fields of a form as one JSON object. An invalid value stays a text, which the schema then refuses. */
export class FormFields {
  readonly value: JsonObject = {}
  readonly #types: ReadonlyMap<string, FieldType>

  constructor(types: ReadonlyMap<string, FieldType>) {
    this.#types = types
  }

  /** Adds a value. Refuses a second value of a field that is not a list. */
  add(name: string, text: string): void {
    const type = this.#types.get(name) ?? 'text'
    const known = Object.hasOwn(this.value, name) ? this.value[name] : undefined
    if (type === 'list') {
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
