/** Licences of the packages that are published with the gateway, by the lockfile. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'

/** Permissive licences, which oblige nobody but to keep their text. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'PSF-2.0',
])

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly license?: string; readonly integrity?: string }>
  >
}

describe('packages', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lockfile
  const published = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)

  it('have permissive licences where they are published', () => {
    expect(published.length).greaterThan(20)
    const others = published.filter(([, { license }]) => !ALLOWED.has(license ?? ''))
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).deep.equal([])
  })

  it('are pinned by their checksums', () => {
    const loose = published.filter(([, { integrity }]) => integrity === undefined)
    expect(loose.map(([path]) => path)).deep.equal([])
  })
})
