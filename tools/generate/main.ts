/**
 * Writes generated code: `main.ts validators` the validators, which are no part of the repository (bin/validators.mjs), `main.ts`
 * what is. Each file is replaced as a whole: a process that starts meanwhile reads the old one or the new one.
 */
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Older than a schema that changes from now on.
const started = new Date()
// Types need development dependencies, which a checkout that only runs may lack.
const files =
  process.argv[2] === 'validators'
    ? (await import('./validators.ts')).validators()
    : await (await import('./files.ts')).generatedFiles()

for (const [path, text] of files) {
  const file = join(root, path)
  const temporary = `${file}.${process.pid}.tmp`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(temporary, text)
  utimesSync(temporary, started, started)
  renameSync(temporary, file)
}
