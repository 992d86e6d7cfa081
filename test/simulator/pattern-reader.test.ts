import { expect } from 'chai'
import { PatternError } from '../../simulator/pattern.ts'
import { PatternReader } from '../../simulator/pattern-reader.ts'

const X = { kind: 'text', text: 'x' } as const

describe('simulator/pattern-reader', () => {
  it('advances by whole characters', () => {
    const reader = new PatternReader('🌊é')
    expect(reader.next()).equal('🌊')
    expect(reader.here).equal('é')
    expect(reader.skip('e')).equal(false)
    expect(reader.skip('é')).equal(true)
    expect(reader.isDone).equal(true)
    expect(() => reader.next()).throw(PatternError, /too early/)
    expect(() => reader.expect(')')).throw(PatternError, /Expected "\)" at position 3/)
  })

  it('reads quantifiers, and ignores other braces', () => {
    const quantified = (text: string) => {
      const node = new PatternReader(text).quantified(X)
      return node.kind === 'repeat' ? [node.min, node.max] : undefined
    }
    expect(quantified('*')).deep.equal([0, Number.POSITIVE_INFINITY])
    expect(quantified('+')).deep.equal([1, Number.POSITIVE_INFINITY])
    expect(quantified('?')).deep.equal([0, 1])
    expect(quantified('{3}')).deep.equal([3, 3])
    expect(quantified('{3,}')).deep.equal([3, Number.POSITIVE_INFINITY])
    expect(quantified('{,3}')).deep.equal([0, 3])
    expect(quantified('{2,3}')).deep.equal([2, 3])
    for (const none of ['', 'y', '{', '{}', '{,}', '{a}']) expect(quantified(none), none).equal(undefined)
  })

  it('reads classes and escapes', () => {
    const characters = (text: string) => {
      const node = new PatternReader(text).characterClass()
      return node.kind === 'class' ? node.characters.join('') : undefined
    }
    expect(characters('abc]')).equal('abc')
    expect(characters('a-cx-]')).equal('abcx-')
    expect(characters('a\\]]')).equal('a]')
    expect(characters('^ -y]')).equal('z{|}~')
    const escaped = (text: string) => new PatternReader(text).escaped()
    expect(escaped('x41')).equal('A')
    expect(escaped('u00e9')).equal('é')
    expect(escaped('u{1f30a}')).equal('🌊')
    expect(escaped('U0001f30a')).equal('🌊')
    expect(escaped('n')).equal('\n')
    expect(escaped('.')).equal('.')
    expect(() => escaped('UFFFFFFFF')).throw(PatternError)
  })
})
