/** Options of a plugin, checked against the schema that the plugin declares. */
import type { JsonObject } from '../base/json.ts'
import { newCompiler } from './compiler.ts'
import { type Finding, findings } from './wording.ts'

/**
 * A check that completes options with the defaults of their schema and returns what is wrong with them. Compiled schemas are
 * kept as long as the check. Throws when a schema is not valid.
 */
export function optionsCheck(): (schema: object, options: JsonObject) => readonly Finding[] {
  const compiler = newCompiler({ errors: 'all', fillDefaults: true, checkSchemas: true })
  return (schema, options) => {
    const validate = compiler.compile(schema)
    return validate(options) ? [] : findings(validate.errors ?? [])
  }
}
