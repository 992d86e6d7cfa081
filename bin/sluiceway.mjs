#!/usr/bin/env node
// The command. In a checkout it runs the TypeScript sources; in a published package the compiled ones.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'

const source = join(root, 'lib', 'cli', 'main.ts')
const compiled = join(root, 'lib', 'cli', 'main.js')
const inCheckout = existsSync(source)
if (inCheckout) install()
// Node's young generation may grow to 64 MB on a large machine, and stays there. It is no faster with that (docs/BENCHMARKS.md).
// Four threads would help its garbage collector, also where there is one core: the event loop waits for them (docs/adr/0018).
const flags = JSON.parse(readFileSync(new URL('node-flags.json', import.meta.url), 'utf8'))
process.title = 'sluiceway'
process.exitCode = await runNode([...flags, inCheckout ? source : compiled, ...process.argv.slice(2)])
