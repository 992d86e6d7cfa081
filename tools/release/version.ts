/** Versions of a release, and the files that name them. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/** Files that name the version, and what precedes it there. A lockfile names it twice, before those of packages. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['"version": "'],
  'package-lock.json': ['"version": "', '"version": "'],
  'deploy/helm/Chart.yaml': ['\nversion: ', '\nappVersion: '],
  'deploy/kubernetes/deployment.yaml': ['image: sluiceway:'],
}

export const VERSIONED_FILES = Object.keys(NAMED)

/** Throws if `wanted` is no version, or older than the current one. The current one may not be released yet. */
export function checkVersion(wanted: string, current: string): void {
  const parts = VERSION.exec(wanted)
  if (parts === null) throw new Error(`'${wanted}' is no version: use three numbers, such as 1.0.1`)
  const before = VERSION.exec(current)!
  for (let i = 1; i <= 3; i++) {
    const [next, last] = [Number(parts[i]), Number(before[i])]
    if (next > last) return
    if (next < last) throw new Error(`${wanted} is older than ${current}, the version of package.json`)
  }
}

/** The text of a file of VERSIONED_FILES, with the version replaced. */
export function withVersion(file: string, text: string, current: string, version: string): string {
  let result = ''
  let rest = text
  for (const before of NAMED[file]!) {
    const at = rest.indexOf(`${before}${current}`)
    if (at < 0) throw new Error(`${file} does not name version ${current}`)
    const end = at + before.length
    result += rest.slice(0, end) + version
    rest = rest.slice(end + current.length)
  }
  return result + rest
}
