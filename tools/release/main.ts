/**
 * `npm run release -- VERSION [--dry-run]`: checks, changelog, commit, tag, package, bills of materials and notes.
 * A dry run does all of it, except for the tests, in a copy that it removes. Publishing is the work of the workflow
 * that a pushed tag starts.
 */
import { parseArgs } from 'node:util'
import { release } from './release.ts'

const USAGE = 'Usage: npm run release -- VERSION [--dry-run]\n'

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } })
  const [version, ...rest] = positionals
  if (version === undefined || rest.length > 0) {
    process.stderr.write(USAGE)
    process.exitCode = 1
  } else release(version, { isDry: values['dry-run'] ?? false, print: line => process.stdout.write(`${line}\n`) })
} catch (thrown) {
  process.stderr.write(`release: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`)
  process.exitCode = 1
}
