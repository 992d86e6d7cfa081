import { expect } from 'chai'
import { nearest, suggestion } from '../../../lib/base/nearest.ts'

describe('nearest', () => {
  const known = ['backends', 'brand', 'drain_seconds', 'id', 'journal']

  it('finds the known name that differs least', () => {
    expect(nearest('backend', known)).equal('backends')
    expect(nearest('bakcends', known)).equal('backends')
    expect(nearest('ib', known)).equal('id')
  })

  it('counts two neighbours that are swapped as one slip', () => {
    expect(nearest('wran', ['warn'])).equal('warn')
    expect(nearest('ulr', ['url'])).equal('url')
    expect(nearest('lru', ['url'])).equal(undefined)
  })

  it('allows a third of the letters to differ', () => {
    expect(nearest('kitten', ['sitten', 'sitting'])).equal('sitten')
    expect(nearest('abcdef', ['abcdxy'])).equal('abcdxy')
    expect(nearest('abcdef', ['abcxyz'])).equal(undefined)
  })

  it('recognises other spellings of a name', () => {
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

  it('words the suggestion, or returns nothing', () => {
    expect(suggestion('backend', known)).equal(": did you mean 'backends'?")
    expect(suggestion('telemetry', known)).equal('')
  })
})
