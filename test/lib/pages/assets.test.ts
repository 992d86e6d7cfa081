import { expect } from 'chai'
import { assetAt, assetsOf } from '../../../lib/pages/assets.ts'

describe('assets', () => {
  it('are the shared files and those of the audience, and uPlot as a module', () => {
    for (const audience of ['console', 'operators'] as const) {
      const { files, version } = assetsOf(audience)
      expect([...files.keys()]).include.members(['style.css', 'icon.svg', 'plot.js', 'copy.js', 'uplot.js'])
      expect(files.get('uplot.js')!.text).match(/\nexport default uPlot\n$/)
      expect(files.get('uplot.js')!.type).equal('text/javascript; charset=utf-8')
      expect(version).match(/^[0-9a-f]{12}$/)
      expect(assetsOf(audience)).equal(assetsOf(audience))
    }
  })

  it('have one style sheet without imports: uPlot, shared styles and styles of the audience, in this order', () => {
    const ends = { console: [], operators: ['.chain'] }
    for (const audience of ['console', 'operators'] as const) {
      const { files } = assetsOf(audience)
      expect([...files.keys()].filter(name => name.endsWith('.css'))).deep.equal(['style.css'])
      const { text, type } = files.get('style.css')!
      expect(type).equal('text/css; charset=utf-8')
      expect(text).not.contain('@import')
      const places = ['.uplot', 'color-scheme', ...ends[audience]].map(part => text.indexOf(part))
      expect(places)
        .deep.equal(places.toSorted((a, b) => a - b))
        .and.not.include(-1)
    }
    expect(assetsOf('console').files.get('style.css')!.text).not.contain('.chain')
  })

  it('are cached for ever by browsers, but not those of another version', () => {
    const { version } = assetsOf('console')
    expect(assetAt('console', version, 'style.css')?.headers['cache-control']).contain('immutable')
    expect(assetAt('console', 'older', 'style.css')?.headers['cache-control']).equal('no-store')
  })

  it('are found by their names only, not by paths', () => {
    const { version } = assetsOf('console')
    for (const name of ['', '..', '../assets.ts', '/etc/passwd', 'style.css/', '__proto__', '.gitkeep'])
      expect(assetAt('console', version, name), name).equal(undefined)
  })
})
