/** Options of a plugin, checked against the schema that the plugin declares. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject } from '../base/json.ts'
import { newCompiler } from './compiler.ts'
import { type Finding, findings } from './wording.ts'

/** Options, completed in place. `isKnown`: the schema is known to be valid. */
export type OptionsCheck = (schema: object, options: JsonObject, isKnown?: boolean) => readonly Finding[]

/**
 * A check that completes options with the defaults of their schema and returns what is wrong with them. Compiled schemas are
 * kept as long as the check. Throws when a schema is not valid.
 */
export function optionsCheck(): OptionsCheck {
  const compilerFor = (checkSchemas: boolean) => newCompiler({ errors: 'all', fillDefaults: true, checkSchemas })
  // Checking schemas takes compiling the schema of schemas, which is more than the check of all options takes.
  const known = compilerFor(false)
  let others: Ajv2020 | undefined
  return (schema, options, isKnown = false) => {
    if (!isKnown) others ??= compilerFor(true)
    const validate = (isKnown ? known : others!).compile(schema)
    return validate(options) ? [] : findings(validate.errors ?? [])
  }
}
