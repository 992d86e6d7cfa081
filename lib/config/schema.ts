/** Checks a file against schemas/config.json, adds its defaults, and describes its problems. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type Json } from '../base/json.ts'
import { newCompiler } from '../schemas/compiler.ts'
import { pathOf, violations } from '../schemas/wording.ts'
import { configSchemas } from './config-schemas.ts'
import type { ConfigFile } from './generated/file.ts'
import type { Problem } from './problems.ts'
import { accepts } from './validators/config.ts'

let compiled: ValidateFunction<ConfigFile> | undefined

/** Finds every problem. Compiled only for a file with problems: it takes a fifth of the time of a start. */
function validator(): ValidateFunction<ConfigFile> {
  if (compiled !== undefined) return compiled
  const ajv = newCompiler({ errors: 'all', fillDefaults: true, checkSchemas: false })
  for (const [path, schema] of Object.entries(configSchemas())) ajv.addSchema(schema, path)
  compiled = ajv.getSchema<ConfigFile>('config.json')!
  return compiled
}

interface Validated {
  readonly accepted: ConfigFile | undefined
  readonly problems: readonly Problem[]
}

/** Adds defaults to `file` and checks it. `whole`: paths of environment variables, converted to the expected type. */
export function validateFile(file: Json, whole: ReadonlySet<string>): Validated {
  // The type guard would narrow `file` itself to `never` if it returns false.
  const value: unknown = file
  while (!accepts(value)) {
    if (!convertAll(file, accepts.errors, whole)) return { accepted: undefined, problems: problemsOf(file, whole) }
  }
  return { accepted: value, problems: [] }
}

function problemsOf(file: Json, whole: ReadonlySet<string>): readonly Problem[] {
  const validate = validator()
  const value: unknown = file
  validate(value)
  if (convertAll(file, validate.errors, whole)) validate(value)
  return violations(validate.errors ?? [])
}

/** Converts the strings of environment variables to the types that the schema expects. False: none was converted. */
function convertAll(file: Json, errors: ValidateFunction['errors'], whole: ReadonlySet<string>): boolean {
  return (errors ?? []).filter(error => convert(file, error, whole)).length > 0
}

/** Converts the string of an environment variable to the type that the schema expects. False: it cannot. */
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
