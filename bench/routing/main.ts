/**
 * The benefit and the cost of routing: hit rate, time to the first token and balance of the policies, of session
 * hashing and of an oracle, for the same requests. `node bin/dev.mjs bench:routing -- --help` lists the options.
 */
import { readOptions } from './options.ts'
import { RUN } from './parts.ts'

const options = readOptions(process.argv.slice(2))
for (const part of options?.parts ?? []) await RUN[part](options!)
