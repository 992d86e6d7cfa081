import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { datedChangelog, notesOf } from '../../../tools/release/changelog.ts'

const TEXT = '# Changelog\n\n## 1.1.0 (unreleased)\n\n- A new thing.\n\n## 1.0.0 (2026-11-28)\n\nThe first release.\n'

describe('release/changelog', () => {
  it('dates the section of the version', () => {
    const dated = datedChangelog(TEXT, '1.1.0', '2026-12-24')
    expect(dated).contain('\n## 1.1.0 (2026-12-24)\n').and.not.contain('unreleased')
  })

  it('asks for a section where the version has none', () => {
    expect(() => datedChangelog(TEXT, '1.2.0', '2026-12-24')).throw("no section '## 1.2.0 (unreleased)'")
  })

  it('has the notes of one version', () => {
    expect(notesOf(TEXT, '1.1.0')).equal('- A new thing.\n')
    expect(notesOf(TEXT, '1.0.0')).equal('The first release.\n')
  })

  it('finds the next version in the changelog of this repository', () => {
    const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(notesOf(read('CHANGELOG.md'), version)).contain('- ')
  })
})
