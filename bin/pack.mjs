// `npm pack` runs this script before and after. A checkout exports its sources, which Node does not run below
// node_modules, so the package needs another package.json. `prepare` replaces that of the checkout, `restore` undoes
// it.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { publishedManifest } from './published-manifest.mjs'

const manifest = join(root, 'package.json')
const saved = join(root, 'package.checkout.json')

if (process.argv[2] === 'prepare') {
  const text = `${JSON.stringify(publishedManifest(root, './dist/'), null, 2)}\n`
  renameSync(manifest, saved)
  writeFileSync(manifest, text)
} else if (existsSync(saved)) renameSync(saved, manifest)
