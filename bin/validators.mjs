// Generates the validators of schemas/ in a checkout. They are not part of the repository (docs/adr/0025).
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNode } from './bootstrap.mjs'

/** The files that the generator writes and that git ignores. */
const VALIDATORS = [
  'lib/config/validators/config.ts',
  'lib/schemas/validators/bodies.ts',
  'lib/schemas/validators/queries.ts',
]

/** The inputs: the schemas, the generator, the options of Ajv, and the version of Ajv. */
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

/** 0: the file does not exist. */
function modifiedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The file itself, or all files below a folder, except for validators. */
function filesOf(path) {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(join(root, path)).filter(name => name !== 'validators')
  return names.flatMap(name => filesOf(join(path, name)))
}
