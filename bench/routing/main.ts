/**
 * What routing saves, and what it costs: hit rate, time to the first token and balance of the policies, of session hashing
 * and of an oracle, on the same requests. `node bin/dev.mjs bench:routing -- --help` lists the options.
 */
import { readOptions } from './options.ts'
import { RUN } from './parts.ts'

const options = readOptions(process.argv.slice(2))
for (const part of options?.parts ?? []) await RUN[part](options!)
