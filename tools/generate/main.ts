/** Writes the generated code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedFiles } from './files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

for (const [path, text] of await generatedFiles()) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
