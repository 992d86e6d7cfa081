// The code that checks values by schemas/: generated in a checkout, not part of the repository (docs/adr/0025).
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode } from './bootstrap.mjs'

/** What the generator writes, and git ignores. */
const VALIDATORS = [
  'lib/config/validators/config.ts',
  'lib/schemas/validators/bodies.ts',
  'lib/schemas/validators/queries.ts',
]

/** The schemas, the generator, the set-up of Ajv, and the version of Ajv. */
const SOURCES = ['schemas', 'tools/generate', 'lib/schemas', 'package-lock.json']

/** Generates the validators if one is missing or older than its sources. Ends the process if that fails. */
export async function generateValidators() {
  const oldest = Math.min(...VALIDATORS.map(modifiedAt))
  const newest = Math.max(...SOURCES.flatMap(filesOf).map(modifiedAt))
  if (oldest > newest) return
  process.stderr.write('Generating validators from schemas/ …\n')
  const code = await runNode([join(root, 'tools', 'generate', 'main.ts'), 'validators'])
  if (code !== 0) process.exit(1)
}

/** 0 where there is no such file. */
function modifiedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The file, or those below a folder but for validators. */
function filesOf(path) {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(join(root, path)).filter(name => name !== 'validators')
  return names.flatMap(name => filesOf(join(path, name)))
}
