/** The settings of Ajv for bodies, queries, the configuration and the options of plugins. */
import { createRequire } from 'node:module'
import type { Ajv2020, Code, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/2020.js'
import { isObject } from '../base/json.ts'
import { FORMATS } from './formats.ts'

/** Loads Ajv with the first compiler: this repository has generated code for its own schemas (docs/adr/0025). */
const load = createRequire(import.meta.url)

/**
 * Own keywords without a check: a member without effect, a pattern in words, a default by other members, and the
 * section of the reference that describes the members.
 */
export const ANNOTATIONS = ['x-no-effect', 'patternErrorMessage', 'x-default', 'x-see']

interface CompilerOptions {
  /** `first` stops at the first error. `all` finds all errors, and each error has the refused value. */
  readonly errors: 'first' | 'all'
  /** Writes the defaults of the schema into the checked value. */
  readonly fillDefaults: boolean
  /** Checks the schemas too: for schemas of plugin authors. A test checks the schemas of this repository. */
  readonly checkSchemas: boolean
  /** Keeps the code of checks, for a generated file that imports `FORMATS`. */
  readonly keepCode?: boolean
}

/** A compiler without schemas. wording.ts converts its errors to text. */
export function newCompiler({ errors, fillDefaults, checkSchemas, keepCode = false }: CompilerOptions): Ajv2020 {
  const library = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const addFormats = load('ajv-formats') as typeof import('ajv-formats')
  const { _ } = library
  const compiler = new library.Ajv2020({
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    allErrors: errors === 'all',
    verbose: errors === 'all',
    useDefaults: fillDefaults,
    validateSchema: checkSchemas,
    // Lengths in UTF-16 units: counting characters would read every text that a client sends.
    unicode: false,
    // Optimization takes a quarter of the compile time and makes checks no faster, but it makes generated code shorter.
    code: keepCode ? { source: true, esm: true, lines: true, formats: _`FORMATS` } : { optimize: false },
    // Generated code needs no messages: wording.ts creates them.
    messages: !keepCode,
    // Without this, Ajv prints at every start that `unicode` is deprecated.
    logger: false,
    // Referenced schemas get the `this` of the check, which ignoreOthers() uses.
    passContext: true,
  })
  addFormats.default(compiler)
  for (const [name, check] of Object.entries(FORMATS)) compiler.addFormat(name, check)
  compiler.addVocabulary(ANNOTATIONS)
  compiler.addKeyword(ignoreOthers(library))
  return compiler
}

/**
 * The keyword `x-ignore-others: [NAME …]` of an object. The check calls `this.add(pointer, name)` for each member that
 * neither `properties` nor the list names. Members with null count as absent. An object costs one comparison per member
 * and known name.
 */
function ignoreOthers({ _, Name, str }: typeof import('ajv/dist/2020.js')): CodeKeywordDefinition {
  // Names in the code that Ajv generates. instancePath: JSON pointer of the value that a referenced schema checks.
  const self = new Name('this')
  const instancePath = new Name('instancePath')
  return {
    keyword: 'x-ignore-others',
    type: 'object',
    schemaType: 'array',
    code({ gen, data, schema, parentSchema, it }: KeywordCxt) {
      const { properties } = parentSchema as { properties?: unknown }
      const known = [...Object.keys(isObject(properties) ? properties : {}), ...(schema as string[])]
      gen.forIn('name', data, name => {
        const isNamed = known.reduce<Code>(
          (others, each) => _`${name} === ${each} || ${others}`,
          _`${data}[${name}] === null`,
        )
        gen.if(_`!(${isNamed})`, () => gen.code(_`${self}.add(${str`${instancePath}${it.errorPath}`}, ${name})`))
      })
    },
  }
}
