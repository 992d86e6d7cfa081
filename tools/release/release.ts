import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { datedChangelog, notesOf } from './changelog.ts'
import { checkVersion, VERSIONED_FILES, withVersion } from './version.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Not committed. The workflow makes the same files, and attaches them to the release. */
const ARTIFACTS = 'release'

interface ReleaseOptions {
  /** Works in a copy, which is removed, and does not run the tests. */
  readonly isDry: boolean
  print(line: string): void
}

/** Makes a release of the checkout. Throws an Error that says what to do; nothing is committed then. */
export function release(version: string, { isDry, print }: ReleaseOptions): void {
  if (git(checkout, 'status', '--porcelain') !== '') throw new Error('there are changes that are not committed')
  if (git(checkout, 'tag', '--list', tagOf(version)) !== '') throw new Error(`the tag ${tagOf(version)} exists already`)
  const { version: current } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
  checkVersion(version, current)
  if (!isDry) return releaseIn(checkout, current, version, false, print)
  const copy = mkdtempSync(join(tmpdir(), 'sluiceway-release-'))
  try {
    git(copy, 'clone', '--quiet', checkout, '.')
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'))
    // A site that is current is not built again.
    const site = join(checkout, 'site')
    if (existsSync(site)) cpSync(site, join(copy, 'site'), { recursive: true })
    releaseIn(copy, current, version, true, print)
    print(`Dry run: nothing of this is kept. Without --dry-run, 'npm test' runs first, and then: ${pushOf(version)}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function releaseIn(
  root: string,
  current: string,
  version: string,
  isDry: boolean,
  print: (line: string) => void,
): void {
  const changelog = datedChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, today())
  if (!isDry) execFileSync('npm', ['test'], { cwd: root, stdio: 'inherit' })
  for (const file of VERSIONED_FILES) {
    const path = join(root, file)
    writeFileSync(path, withVersion(file, readFileSync(path, 'utf8'), current, version))
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
  // The packages are those of before: a newer lockfile would install them again.
  utimesSync(join(root, 'package-lock.json'), 0, 0)
  const author = isDry ? ['-c', 'user.name=dry run', '-c', 'user.email=dry-run@localhost'] : []
  const notes = notesOf(changelog, version)
  git(root, ...author, 'commit', '--quiet', '--all', '--message', `release: ${version}`)
  git(root, ...author, 'tag', '--annotate', tagOf(version), '--cleanup=verbatim', '--message', notes)
  print(`Committed and tagged ${tagOf(version)}: ${[...VERSIONED_FILES, 'CHANGELOG.md'].join(', ')}`)
  for (const line of makeArtifacts(root, notes)) print(line)
  if (!isDry) print(`Publish it: ${pushOf(version)}`)
}

/** Writes package, bills of materials, notes and checksums. Returns a line for each file. */
function makeArtifacts(root: string, notes: string): readonly string[] {
  const folder = join(root, ARTIFACTS)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  npm(root, 'run', '--silent', 'build')
  npm(root, 'pack', '--silent', './dist', '--pack-destination', folder)
  for (const [format, name] of [
    ['cyclonedx', 'sbom.cyclonedx.json'],
    ['spdx', 'sbom.spdx.json'],
  ] as const)
    writeFileSync(
      join(folder, name),
      npm(root, 'sbom', '--omit', 'dev', '--package-lock-only', '--sbom-format', format),
    )
  writeFileSync(join(folder, 'notes.md'), notes)
  const files = readdirSync(folder).map(name => ({ name, bytes: readFileSync(join(folder, name)) }))
  const sums = files.map(({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return [
    ...files.map(({ name, bytes }) => `${ARTIFACTS}/${name} (${bytes.length} bytes)`),
    `${ARTIFACTS}/SHA256SUMS (${files.length} files)`,
  ]
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function tagOf(version: string): string {
  return `v${version}`
}

function pushOf(version: string): string {
  return `git push origin main ${tagOf(version)}`
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8' })
}
