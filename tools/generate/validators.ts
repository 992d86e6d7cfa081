/** Generates the code of validators, so that no start needs to compile their schemas (docs/adr/0025). */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { isObject, type Json, type JsonObject } from '../../lib/base/json.ts'
import { configSchemas } from '../../lib/config/config-schemas.ts'
import { acceptNulls, bodySchemas } from '../../lib/schemas/body-schemas.ts'
import { newCompiler } from '../../lib/schemas/compiler.ts'
import { readSchema, schemaNames } from '../../lib/schemas/read.ts'

/** Keywords without effect on validation. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'examples',
  'patternErrorMessage',
  'x-default',
  'x-see',
])

/** The texts of the files by their paths from the root of the repository. */
export function validators(): ReadonlyMap<string, string> {
  return new Map([
    ['lib/config/validators/config.ts', configValidator()],
    ['lib/schemas/validators/bodies.ts', bodyValidators()],
    ['lib/schemas/validators/queries.ts', queryValidators()],
  ])
}

/** The validator of the configuration. It adds defaults, and stops at the first error. */
function configValidator(): string {
  const compiler = newCompiler({ errors: 'first', fillDefaults: true, checkSchemas: false, keepCode: true })
  for (const [path, schema] of Object.entries(configSchemas()))
    compiler.addSchema(withoutAnnotations(schema) as JsonObject, path)
  return file({
    from: 'schemas/config.json',
    types:
      "import type { ValidateFunction } from 'ajv/dist/2020.js'\nimport type { ConfigFile } from '../generated/file.ts'\n",
    formats: '../../schemas/formats.ts',
    code: codeOf(compiler, { accept: 'config.json' }),
    exported: 'export const accepts: ValidateFunction<ConfigFile> = accept',
  })
}

/** The validators of bodies, by the name of the schema. */
function bodyValidators(): string {
  const compiler = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false, keepCode: true })
  for (const schema of bodySchemas()) compiler.addSchema(withoutAnnotations(acceptNulls(schema)) as JsonObject)
  const names = schemaNames('bodies')
  const ids = Object.fromEntries(names.map(name => [identifier(name), `gateway:/bodies/${name}.json`]))
  const entries = names.map(name => `  '${name}': ${identifier(name)},`)
  return file({
    from: 'schemas/bodies and schemas/shared',
    types: "import type { ValidateFunction } from 'ajv/dist/2020.js'\n",
    formats: '../formats.ts',
    code: codeOf(compiler, ids),
    exported: `export const BODY_CHECKS: Readonly<Record<string, ValidateFunction>> = {\n${entries.join('\n')}\n}`,
  })
}

/** The validators of queries, by the `$id` of the schema. They add defaults. */
function queryValidators(): string {
  const compiler = newCompiler({ errors: 'first', fillDefaults: true, checkSchemas: false, keepCode: true })
  const paths = ['queries', 'admin'].flatMap(folder => schemaNames(folder).map(name => `${folder}/${name}`))
  const names = paths.filter(path => path.startsWith('queries/') || /-query$|\/none$/.test(path))
  for (const name of names) compiler.addSchema(withoutAnnotations(readSchema(name)) as JsonObject)
  const ids = Object.fromEntries(names.map(name => [identifier(name), `gateway:/${name}.json`]))
  const entries = Object.entries(ids).map(([name, id]) => `  '${id}': ${name},`)
  return file({
    from: 'schemas/queries and schemas/admin',
    types: "import type { ValidateFunction } from 'ajv/dist/2020.js'\n",
    formats: '../formats.ts',
    code: codeOf(compiler, ids),
    exported: `export const QUERY_CHECKS: Readonly<Record<string, ValidateFunction>> = {\n${entries.join('\n')}\n}`,
  })
}

interface GeneratedFile {
  /** The schemas, for the comment at the start of the file. */
  readonly from: string
  readonly types: string
  /** The relative path of the module with the formats. */
  readonly formats: string
  readonly code: string
  readonly exported: string
}

function file({ from, types, formats, code, exported }: GeneratedFile): string {
  const used = [
    code.includes('FORMATS.') ? `import { FORMATS } from '${formats}'\n` : '',
    code.includes(EQUAL) ? "import equal from 'ajv/dist/runtime/equal.js'\n" : '',
  ]
  const text = code.replaceAll(EQUAL, 'equal.default')
  if (text.includes('require(')) throw new Error(`The validators of ${from} need another module of Ajv.`)
  // Ajv generates JavaScript, which the type check cannot check.
  return `// @ts-nocheck
/** Generated from ${from} by tools/generate. Do not edit. */
${types}${used.join('')}
${text}
${exported}
`
}

/** How the generated code refers to Ajv's comparison of values. */
const EQUAL = 'require("ajv/dist/runtime/equal").default'

/**
 * The code of validators, as functions and constants. `ids`: the ids of the schemas, by the names of the validators.
 */
function codeOf(compiler: Ajv2020, ids: Readonly<Record<string, string>>): string {
  const code = standalone.default(compiler, ids)
  return code
    .replace('"use strict";', '')
    .replace(/;(?=const |function |export )/g, ';\n')
    .replace(/^export const /gm, 'const ')
}

function identifier(name: string): string {
  return name.replaceAll(/[-/]/g, '_')
}

/** The schema without annotations. `isMap`: the object is a map of schemas, so that its keys are no keywords. */
function withoutAnnotations(schema: Json, isMap = false): Json {
  if (Array.isArray(schema)) return schema.map(each => withoutAnnotations(each))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([name]) => isMap || !ANNOTATIONS.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (!isMap && VALUES.has(name)) return [name, value!]
      return [name, withoutAnnotations(value!, !isMap && MAPS.has(name))]
    }),
  )
}

/** Keywords whose values are data. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum'])
/** Keywords whose values are maps of schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'patternProperties', 'dependentSchemas'])
