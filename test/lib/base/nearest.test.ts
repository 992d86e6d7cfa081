import { expect } from 'chai'
import { distanceOf, nearest, suggestion } from '../../../lib/base/nearest.ts'

describe('nearest', () => {
  const known = ['backends', 'brand', 'drain_seconds', 'id', 'journal']

  it('finds the known name that differs least', () => {
    expect(nearest('backend', known)).equal('backends')
    expect(nearest('bakcends', known)).equal('backends')
    expect(nearest('ib', known)).equal('id')
  })

  it('takes other ways of writing a name for the name', () => {
    expect(nearest('drainSeconds', known)).equal('drain_seconds')
    expect(nearest('DRAIN-SECONDS', known)).equal('drain_seconds')
  })

  it('finds nothing where nothing is close', () => {
    expect(nearest('telemetry', known)).equal(undefined)
    expect(nearest('', [])).equal(undefined)
  })

  it('stays quick on a name of any length', () => {
    expect(nearest('x'.repeat(1_000_000), known)).equal(undefined)
  })

  it('words the suggestion, or says nothing', () => {
    expect(suggestion('backend', known)).equal(": did you mean 'backends'?")
    expect(suggestion('telemetry', known)).equal('')
  })
})

describe('distanceOf', () => {
  it('counts letters to add, remove, replace and swap', () => {
    expect(distanceOf('', 'abc')).equal(3)
    expect(distanceOf('abc', '')).equal(3)
    expect(distanceOf('kitten', 'sitting')).equal(3)
    expect(distanceOf('same', 'same')).equal(0)
    expect(distanceOf('wran', 'warn')).equal(1)
    expect(distanceOf('ulr', 'url')).equal(1)
  })
})
