/** The one place where Ajv is set up: for bodies, queries, the configuration and the options of plugins. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isUuid } from '../base/ids.ts'
import { parseIso } from '../base/time.ts'
import { IGNORE_OTHERS } from './ignored-members.ts'

/** Keywords of our own that check nothing: how a member behaves, a pattern in words, a default that depends on other members. */
export const ANNOTATIONS = ['x-no-effect', 'patternErrorMessage', 'x-default']

/** Formats that are stricter here than in ajv-formats. */
const FORMATS = {
  'date-time': (text: string) => parseIso(text) !== undefined,
  uuid: isUuid,
  // A name or a note of people, which tables and logs show.
  line: (text: string) => text.trim() !== '' && !/\p{Cc}/u.test(text),
}

export interface CompilerOptions {
  /** `first` stops at the first error. `all` finds every one, and errors carry the value that was refused. */
  readonly errors: 'first' | 'all'
  /** Writes the defaults of the schema into the value that is checked. */
  readonly fillDefaults: boolean
  /** Checks the schemas themselves. For schemas of others; a test checks those of this repository. */
  readonly checkSchemas: boolean
}

/** An empty compiler. Its errors are put into words by wording.ts. */
export function newCompiler({ errors, fillDefaults, checkSchemas }: CompilerOptions): Ajv2020 {
  const compiler = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    allErrors: errors === 'all',
    verbose: errors === 'all',
    useDefaults: fillDefaults,
    validateSchema: checkSchemas,
    // Lengths in UTF-16 units: counting characters would walk through every text that a client sends.
    unicode: false,
    // A quarter of the compile time at boot; the checks themselves run no faster with it.
    code: { optimize: false },
    // Without this, Ajv prints at every start that `unicode` is deprecated.
    logger: false,
    // What a check is called on is there in the schemas that it refers to: see IGNORE_OTHERS.
    passContext: true,
  })
  addFormats.default(compiler)
  for (const [name, check] of Object.entries(FORMATS)) compiler.addFormat(name, check)
  compiler.addVocabulary(ANNOTATIONS)
  compiler.addKeyword(IGNORE_OTHERS)
  return compiler
}
