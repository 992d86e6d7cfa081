import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { checkVersion, VERSIONED_FILES, withVersion } from '../../../tools/release/version.ts'

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
const { version: current } = JSON.parse(read('package.json')) as { version: string }

describe('release/version', () => {
  it('accepts the current version, and newer ones', () => {
    for (const wanted of ['1.2.3', '1.2.4', '1.10.0', '2.0.0']) expect(() => checkVersion(wanted, '1.2.3')).not.throw()
  })

  it('refuses older versions, and what is no version', () => {
    for (const wanted of ['1.2.2', '1.1.9', '0.9.9'])
      expect(() => checkVersion(wanted, '1.2.3')).throw(`${wanted} is older than 1.2.3`)
    for (const wanted of ['v1.2.4', '1.3', '1.2.4-rc.1', 'next'])
      expect(() => checkVersion(wanted, '1.2.3')).throw(`'${wanted}' is no version: use three numbers`)
  })

  it('replaces the version in every file that names it, and nothing else', () => {
    for (const file of VERSIONED_FILES) {
      const changed = withVersion(file, read(file), current, '77.8.9')
      expect(changed, file).contain('77.8.9')
      const own = file === 'package-lock.json' || file.endsWith('Chart.yaml') ? 2 : 1
      expect(changed.split('77.8.9').length - 1, file).equal(own)
      expect(withVersion(file, changed, '77.8.9', current)).equal(read(file))
    }
  })

  it('says which file does not name the version', () => {
    expect(() => withVersion('package.json', '{}', '1.0.0', '1.0.1')).throw('package.json does not name version 1.0.0')
  })
})
