/** Options of a plugin, checked against the schema that the plugin declares. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, type JsonObject } from '../base/json.ts'
import { newCompiler } from './compiler.ts'
import { type Violation, violations } from './wording.ts'

/** Options, completed in place. `isKnown`: the schema is known to be valid. */
export type OptionsCheck = (schema: object, options: JsonObject, isKnown?: boolean) => readonly Violation[]

/**
 * A check that completes options with the defaults of their schema and returns what is wrong with them. Compiled schemas are
 * kept as long as the check. Throws when a schema is not valid.
 */
export function optionsCheck(): OptionsCheck {
  const compilers = new Map<boolean, Ajv2020>()
  // Checking schemas takes compiling the schema of schemas, which is more than the check of all options takes.
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
 * Completes options of which none is given, so that a start with the default chain compiles nothing. False, and then it has done
 * nothing: one is given, or one that is required has no default.
 */
function fillAll({ properties, required = [] }: JsonObject, options: JsonObject): boolean {
  if (Object.keys(options).length > 0 || !isObject(properties) || !Array.isArray(required)) return false
  const members = Object.entries(properties).filter(([, member]) => isObject(member) && 'default' in member)
  const defaults = new Map(members.map(([name, member]) => [name, (member as JsonObject).default!]))
  if (!required.every(name => defaults.has(String(name)))) return false
  for (const [name, value] of defaults) options[name] = structuredClone(value)
  return true
}
