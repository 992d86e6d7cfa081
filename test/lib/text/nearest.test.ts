import { expect } from 'chai'
import { instead, nearest, suggestion } from '../../../lib/text/nearest.ts'

describe('nearest', () => {
  const known = ['backends', 'brand', 'drain_seconds', 'id', 'journal']

  it('finds the most similar known name', () => {
    expect(nearest('backend', known)).equal('backends')
    expect(nearest('bakcends', known)).equal('backends')
    expect(nearest('ib', known)).equal('id')
  })

  it('counts two swapped neighbours as one error', () => {
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

  it('finds nothing if no name is similar', () => {
    expect(nearest('telemetry', known)).equal(undefined)
    expect(nearest('', [])).equal(undefined)
  })

  it('is fast for a name of any length', () => {
    expect(nearest('x'.repeat(1_000_000), known)).equal(undefined)
  })

  it('suggests, or lists what there is', () => {
    expect(instead('warm', ['warn', 'error'])).equal(": did you mean 'warn'?")
    expect(instead('x', ['free'])).equal(": there is 'free'")
    expect(
      instead(
        'x',
        'abcdefghijkl'.split('').map(name => name.repeat(4)),
      ),
    ).match(/^: there are 'aaaa', .* and 2 more$/)
    expect(instead('x', [])).equal('')
  })

  it('makes a suggestion, or an empty text', () => {
    expect(suggestion('backend', known)).equal(": did you mean 'backends'?")
    expect(suggestion('telemetry', known)).equal('')
  })
})
