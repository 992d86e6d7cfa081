/** Checks a file against schemas/config.json, fills in its defaults, and says what is wrong in words. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type Json } from '../base/json.ts'
import { newCompiler } from '../schemas/compiler.ts'
import { pathOf, violations } from '../schemas/wording.ts'
import { configSchemas } from './config-schemas.ts'
import type { ConfigFile } from './generated/file.ts'
import type { Problem } from './problems.ts'
import { accepts } from './validators/config.ts'

let compiled: ValidateFunction<ConfigFile> | undefined

/** Finds everything that is wrong. Takes a fifth of a start, so that only a file with problems has it made. */
function validator(): ValidateFunction<ConfigFile> {
  if (compiled !== undefined) return compiled
  const ajv = newCompiler({ errors: 'all', fillDefaults: true, checkSchemas: false })
  for (const [path, schema] of Object.entries(configSchemas())) ajv.addSchema(schema, path)
  compiled = ajv.getSchema<ConfigFile>('config.json')!
  return compiled
}

interface Validated {
  /** The value that was checked, with its defaults; undefined when the schema refuses it. */
  readonly accepted: ConfigFile | undefined
  readonly problems: readonly Problem[]
}

/**
 * Fills defaults into `file` and checks it. Texts at the paths in `whole` came from environment variables: where a number or
 * a boolean is expected, they become one.
 */
export function validateFile(file: Json, whole: ReadonlySet<string>): Validated {
  // The checks are type guards: they would narrow `file` itself to `never` where they return false.
  const value: unknown = file
  while (!accepts(value)) {
    if (!convertAll(file, accepts.errors, whole)) return { accepted: undefined, problems: problemsOf(file, whole) }
  }
  return { accepted: value, problems: [] }
}

/** Everything that is wrong with a file that is not accepted. */
function problemsOf(file: Json, whole: ReadonlySet<string>): readonly Problem[] {
  const validate = validator()
  const value: unknown = file
  validate(value)
  if (convertAll(file, validate.errors, whole)) validate(value)
  return violations(validate.errors ?? [])
}

/** Turns texts from the environment into what the schema expects in their place. False: there was none. */
function convertAll(file: Json, errors: ValidateFunction['errors'], whole: ReadonlySet<string>): boolean {
  return (errors ?? []).filter(error => convert(file, error, whole)).length > 0
}

/** Turns a text from the environment into the type that the schema expects. False: it cannot. */
function convert(file: Json, error: ErrorObject, whole: ReadonlySet<string>): boolean {
  const path = pathOf(error)
  if (!whole.has(path.join('.')) || (error.keyword !== 'type' && error.keyword !== 'enum')) return false
  const names = [...path]
  const last = names.pop()!
  const parent = names.reduce<Json | undefined>((node, name) => member(node, name), file)
  const given = member(parent, last)
  const value = typeof given === 'string' ? typed(given, error) : undefined
  if (value === undefined || !isObject(parent)) return false
  parent[last] = value
  return true
}

function member(node: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(node)) return node[Number(name)]
  return isObject(node) ? node[name] : undefined
}

function typed(text: string, { keyword, params }: ErrorObject): Json | undefined {
  const takesBoolean = keyword === 'enum' ? [params.allowedValues].flat().includes(true) : params.type === 'boolean'
  if (takesBoolean && (text === 'true' || text === 'false')) return text === 'true'
  const takesNumber = params.type === 'integer' || params.type === 'number'
  return takesNumber && /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : undefined
}
