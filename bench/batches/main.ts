/**
 * What lines of batches cost interactive requests, and how much of the spare capacity they use, in virtual time and
 * over HTTP.
 * `node bin/dev.mjs bench:batches -- --help` lists the options.
 */
import { overHttp } from './http-part.ts'
import { readOptions } from './options.ts'
import { spare } from './spare-part.ts'

const options = readOptions(process.argv.slice(2))
if (options?.parts.includes('virtual')) spare(options)
if (options?.parts.includes('http')) await overHttp(options)
