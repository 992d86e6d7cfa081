/** Checks the options of plugins against the schemas that the plugins declare. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, type JsonObject } from '../base/json.ts'
import { newCompiler } from './compiler.ts'
import { type Violation, violations } from './wording.ts'

/** Writes defaults into `options` and returns its errors. `isKnown`: the schema is known to be valid. */
export type OptionsCheck = (schema: object, options: JsonObject, isKnown?: boolean) => readonly Violation[]

/** A check of options, which keeps the schemas that it compiles. The check throws if a schema is not valid. */
export function optionsCheck(): OptionsCheck {
  const compilers = new Map<boolean, Ajv2020>()
  // To check a schema, Ajv compiles the meta-schema, which takes longer than the check of all options.
  const compilerFor = (checkSchemas: boolean) => {
    const compiler = compilers.get(checkSchemas) ?? newCompiler({ errors: 'all', fillDefaults: true, checkSchemas })
    compilers.set(checkSchemas, compiler)
    return compiler
  }
  return (schema, options, isKnown = false) => {
    if (isKnown && fillAll(schema as JsonObject, options)) return []
    const validate = compilerFor(!isKnown).compile(schema)
    return validate(options) ? [] : violations(validate.errors ?? [])
  }
}

/**
 * Writes defaults into empty options, so that a start with the default chain compiles nothing. Returns false, without
 * changes, if an option is set or a required one has no default.
 */
function fillAll({ properties, required = [] }: JsonObject, options: JsonObject): boolean {
  if (Object.keys(options).length > 0 || !isObject(properties) || !Array.isArray(required)) return false
  const members = Object.entries(properties).filter(([, member]) => isObject(member) && 'default' in member)
  const defaults = new Map(members.map(([name, member]) => [name, (member as JsonObject).default!]))
  if (!required.every(name => defaults.has(String(name)))) return false
  for (const [name, value] of defaults) options[name] = structuredClone(value)
  return true
}
