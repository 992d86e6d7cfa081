// Completes dist/, which is a package of its own: copies other files than sources, and writes its package.json.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { publishedManifest } from './published-manifest.mjs'

const dist = join(root, 'dist')

const FOLDERS = ['bin', 'schemas', 'config', 'docs', 'deploy', 'plugins/_template', 'lib/pages/browser', 'site']
for (const path of [...FOLDERS, 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']) {
  cpSync(join(root, path), join(dist, path), { recursive: true })
}

writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publishedManifest(root), null, 2)}\n`)
