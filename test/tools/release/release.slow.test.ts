/** The command of a release, in a clone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { temporaryDirectory } from '../../support/cli.ts'
import { builtSite } from '../../support/site.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('npm run release', function () {
  this.timeout(240_000)
  const directory = temporaryDirectory()
  let site: string
  before(async () => {
    site = await builtSite()
  })

  /** A clone with the packages of this checkout. */
  const cloned = (): string => {
    const clone = join(directory(), 'clone')
    git(directory(), 'clone', '--quiet', root, clone)
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    utimesSync(join(clone, 'package-lock.json'), 0, 0)
    // The rule of .gitignore is about a directory.
    appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
    return clone
  }
  const run = (clone: string, ...args: string[]) => {
    const options = { cwd: clone, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'release', '--', ...args], options)
    return { status, stdout, stderr }
  }

  it('dry: makes everything in a copy, and leaves the checkout as it is', () => {
    const clone = cloned()
    cpSync(site, join(clone, 'site'), { recursive: true })
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { version: string }
    const { status, stdout, stderr } = run(clone, version, '--dry-run')
    expect(status, stderr).equal(0)
    expect(stdout).contain(`Committed and tagged v${version}: package.json, package-lock.json`)
    for (const file of [`sluiceway-${version}.tgz`, 'sbom.cyclonedx.json', 'sbom.spdx.json', 'notes.md', 'SHA256SUMS'])
      expect(stdout).contain(`release/${file} (`)
    expect(stdout).contain(`and then: git push origin main v${version}`)
    expect([git(clone, 'status', '--porcelain'), git(clone, 'tag', '--list', `v${version}`)]).deep.equal(['', ''])
    expect(existsSync(join(clone, 'release'))).equal(false)
  })

  it('refuses changes that are not committed, a tag that exists, and a version without a section', () => {
    const clone = cloned()
    const refusal = (...args: string[]) => {
      const { status, stderr } = run(clone, ...args)
      expect(status).equal(1)
      return stderr
    }
    const section =
      "release: CHANGELOG.md has no section '## 99.0.0 (unreleased)': write what has changed for users there"
    expect(refusal('99.0.0', '--dry-run')).contain(section)
    git(clone, 'tag', 'v99.0.0')
    expect(refusal('99.0.0')).contain('release: the tag v99.0.0 exists already')
    appendFileSync(join(clone, 'README.md'), '\n')
    expect(refusal('99.0.1')).contain('release: there are changes that are not committed')
    expect(refusal()).contain('Usage: npm run release -- VERSION [--dry-run]')
  })
})

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
}
