/**
 * Writes generated code. `main.ts validators` writes the validators, which are not part of the repository. `main.ts`
 * writes the types. Each file is replaced atomically: a process that starts meanwhile reads the old or the new file.
 */
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
// The modification time of the files: a schema that changes from now on is newer.
const started = new Date()
// Generating types needs development dependencies, which may not be installed.
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
