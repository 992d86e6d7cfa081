#!/usr/bin/env node
// The command. It runs the TypeScript sources of a checkout, or the compiled code of a published package.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, root, runNode } from './bootstrap.mjs'
import { generateValidators } from './validators.mjs'

const source = join(root, 'lib', 'cli', 'main.ts')
const compiled = join(root, 'lib', 'cli', 'main.js')
const inCheckout = existsSync(source)
// The gateway starts also if stderr is full or has no reader.
process.stderr.on('error', () => {})
if (inCheckout) {
  install()
  await generateValidators()
}
process.title = 'sluiceway'
const entry = inCheckout ? source : compiled
// The young generation grows to 24 MB, not 96 as by default: 100 MB less after 90,000 small chats, for no more CPU.
const flags = JSON.parse(readFileSync(join(root, 'bin', 'node-flags.json'), 'utf8'))
process.exitCode = await runNode([...flags, entry, ...process.argv.slice(2)])
