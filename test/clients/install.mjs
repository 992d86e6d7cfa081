/** `node test/clients/install.mjs DIRECTORY`: installs each client of packages.json in its own folder (2.5 GB). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  console.error('usage: node test/clients/install.mjs DIRECTORY')
  process.exit(2)
}
const clients = JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'))
for (const [name, dependencies] of Object.entries(clients)) {
  const folder = join(directory, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}
