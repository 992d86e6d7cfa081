/** The one place where Ajv is set up: for bodies, queries, the configuration and the options of plugins. */
import { createRequire } from 'node:module'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { OWN_FORMATS } from './formats.ts'
import { ignoreOthers } from './ignored-members.ts'

/** Loads Ajv with the first compiler: what this repository knows beforehand is checked by generated code (docs/adr/0025). */
const load = createRequire(import.meta.url)

/** Keywords of our own that check nothing: how a member behaves, a pattern in words, a default that depends on other members. */
export const ANNOTATIONS = ['x-no-effect', 'patternErrorMessage', 'x-default']

export interface CompilerOptions {
  /** `first` stops at the first error. `all` finds every one, and errors carry the value that was refused. */
  readonly errors: 'first' | 'all'
  /** Writes the defaults of the schema into the value that is checked. */
  readonly fillDefaults: boolean
  /** Checks the schemas themselves. For schemas of others; a test checks those of this repository. */
  readonly checkSchemas: boolean
  /** Keeps the code of checks, for a file of generated code that has `FORMATS` in scope. */
  readonly keepCode?: boolean
}

/** An empty compiler. Its errors are put into words by wording.ts. */
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
    // Lengths in UTF-16 units: counting characters would walk through every text that a client sends.
    unicode: false,
    // Optimizing takes a quarter of the compile time, and the checks run no faster with it. It makes generated code shorter.
    code: keepCode ? { source: true, esm: true, lines: true, formats: _`FORMATS` } : { optimize: false },
    // Not needed in generated code: its errors say only that something is refused, or are worded by wording.ts.
    messages: !keepCode,
    // Without this, Ajv prints at every start that `unicode` is deprecated.
    logger: false,
    // What a check is called on is there in the schemas that it refers to: see ignoreOthers().
    passContext: true,
  })
  addFormats.default(compiler)
  for (const [name, check] of Object.entries(OWN_FORMATS)) compiler.addFormat(name, check)
  compiler.addVocabulary(ANNOTATIONS)
  compiler.addKeyword(ignoreOthers(library))
  return compiler
}
