#!/usr/bin/env node
// The command. In a checkout it runs the TypeScript sources; in a published package the compiled ones.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'
import { nodeEnvironment, nodeFlags } from './node-flags.mjs'
import { generateValidators } from './validators.mjs'

const source = join(root, 'lib', 'cli', 'main.ts')
const compiled = join(root, 'lib', 'cli', 'main.js')
const inCheckout = existsSync(source)
if (inCheckout) {
  install()
  await generateValidators()
}
process.title = 'sluiceway'
const entry = inCheckout ? source : compiled
process.exitCode = await runNode([...nodeFlags(), entry, ...process.argv.slice(2)], nodeEnvironment())
