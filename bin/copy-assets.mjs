// What the compiled package reads at run time and the compiler does not carry over.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

for (const folder of ['schemas', 'config', 'docs/errors']) {
  cpSync(join(root, folder), join(root, 'dist', folder), { recursive: true })
}
