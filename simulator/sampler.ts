import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { JsonSchema } from 'json-schema-faker'
import type { JsonObject } from '../lib/base/json.ts'
import { PatternError } from './pattern.ts'
import type { Random } from './random.ts'

/** Maximum time of all samples of a request, in milliseconds. */
const MAX_MS = 1000
const MAX_LENGTH = 64 * 1024
const MAX_ATTEMPTS = 20

const RUN = new Script('run()')

/**
 * Generates the constrained texts of one request. Equal random numbers give equal texts. The libraries are development
 * dependencies, which are loaded by the first request that needs them. A timeout ends a hostile expression or schema.
 */
export class Sampler {
  #leftMs: number

  constructor(maxMs = MAX_MS) {
    this.#leftMs = maxMs
  }

  /** A text that the whole regular expression matches. Throws PatternError. */
  async regex(expression: string, random: Random): Promise<string> {
    const { sample, stringMatching } = await installed('fast-check', () => import('fast-check'))
    const seed = seedOf(random)
    return this.#bounded(() => sample(stringMatching(whole(expression), { size: 'xsmall' }), { seed, numRuns: 1 })[0]!)
  }

  /** The JSON of a value that satisfies the schema. Throws PatternError. */
  async schema(schema: JsonObject, random: Random): Promise<string> {
    const { generateSync } = await installed('json-schema-faker', () => import('json-schema-faker'))
    return this.#bounded(() => {
      const isValid = validatorOf(schema)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        // Starts with all properties. A recursive schema may have values only without optional ones.
        const options = { alwaysFakeOptionals: attempt < MAX_ATTEMPTS / 2, optionalsProbability: 0 }
        const value = generateSync(schema as JsonSchema, { seed: seedOf(random), ...options })
        if (isValid(value)) return JSON.stringify(value)
      }
      throw new PatternError('no value was found that satisfies the schema.')
    })
  }

  /** Runs a function, and ends it after the remaining time of the request. */
  #bounded(run: () => string): string {
    const startedAt = performance.now()
    try {
      const text = RUN.runInNewContext({ run }, { timeout: Math.max(1, Math.ceil(this.#leftMs)) }) as string
      if (text.length > MAX_LENGTH) throw new PatternError('the text is too long.')
      return text
    } catch (error) {
      throw new PatternError(error instanceof Error ? error.message : String(error))
    } finally {
      this.#leftMs -= performance.now() - startedAt
    }
  }
}

/** Throws PatternError if the package is not installed. */
export async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const folder = fileURLToPath(new URL('..', import.meta.url))
    const command = `npm install --no-save --prefix ${folder} ${name}`
    throw new PatternError(`the simulator needs ${name}, which is not installed: ${command}`)
  }
}

function seedOf(random: Random): number {
  return Math.floor(random() * 2 ** 31)
}

/** Prefers the flag `u`, which `\p{…}` and surrogate pairs need, but which refuses some escapes that engines accept. */
function whole(expression: string): RegExp {
  const source = `^(?:${expression})$`
  try {
    return new RegExp(source, 'su')
  } catch {
    return new RegExp(source, 's')
  }
}

function validatorOf(schema: JsonObject): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false })
  formats.default(ajv)
  return ajv.compile(schema)
}
