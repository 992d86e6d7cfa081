// Packages of many modules, each bundled into one file, because a start finds and loads every module by itself
// (docs/adr/0083-packages-in-one-file.md). `imports` of package.json names them: `#name` is the bundle under the condition
// below, and the package without it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const CONDITION = 'sluiceway-bundled'

/** The bundles that package.json of this folder names: `file`, of the package `name`. */
export function bundlesOf(root) {
  const { imports = {} } = readJson(join(root, 'package.json'))
  return Object.values(imports).flatMap(to => {
    const file = to[CONDITION]
    return file === undefined ? [] : [{ name: to.default, file: join(root, file) }]
  })
}

/** What to give Node: the condition where every bundle is there and has the version that is installed, otherwise nothing. */
export function conditions(root) {
  try {
    const bundles = bundlesOf(root)
    const isFresh = ({ name, file }) =>
      existsSync(file) && readFileSync(stampOf(file), 'utf8') === installedVersion(root, name)
    return bundles.length > 0 && bundles.every(isFresh) ? [`--conditions=${CONDITION}`] : []
  } catch {
    return []
  }
}

/** Says which version of the package is in the bundle. */
export function stampOf(file) {
  return `${file}.version`
}

/** The version of the package that modules below this folder import. */
export function installedVersion(root, name) {
  return readJson(join(packageFolder(root, name), 'package.json')).version
}

/** Where Node finds it: in the folder itself, or in one above it. */
export function packageFolder(root, name) {
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (dirname(folder) === folder) throw new Error(`the package ${name} is not installed`)
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
