// Completes dist/, the package to publish: copies what the compiler does not, and writes a package.json that names its output.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

const dist = join(root, 'dist')

for (const path of ['bin', 'schemas', 'config', 'docs', 'plugins/_template', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
  cpSync(join(root, path), join(dist, path), { recursive: true })
}

const {
  devDependencies: _,
  scripts: __,
  allowScripts: ___,
  exports,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const compiled = Object.fromEntries(
  Object.entries(exports).map(([name, path]) => {
    if (!path.endsWith('.ts')) return [name, path]
    const stem = path.slice(0, -'.ts'.length)
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }]
  }),
)
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ ...manifest, private: false, exports: compiled }, null, 2)}\n`,
)
