// Writes docs/CONFIG.md from the schemas. test/lib/config/reference.test.ts fails if the file is out of date.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

const { configReference } = await import('../lib/config/reference.ts')
writeFileSync(join(root, 'docs', 'CONFIG.md'), configReference())
