import { expect } from 'chai'
import { matchesGlob } from '../../../lib/base/glob.ts'

describe('matchesGlob', () => {
  it('takes * for any text, also an empty one and slashes', () => {
    for (const [glob, text] of [
      ['*', ''],
      ['*', 'a/b'],
      ['Qwen/*', 'Qwen/Qwen3-8B'],
      ['Qwen/*', 'Qwen/'],
      ['*/b', 'a/x/b'],
      ['a*b*c', 'abc'],
      ['a*b*c', 'a1b2b3c'],
      ['**', 'x'],
      ['a.b', 'a.b'],
    ] as const)
      expect(matchesGlob(glob, text), `${glob} ${text}`).equal(true)
    for (const [glob, text] of [
      ['Qwen/*', 'qwen/x'],
      ['Qwen', 'Qwen/x'],
      ['a.b', 'axb'],
      ['a*a', 'a'],
      ['a*b*c', 'acb'],
      ['*b', 'ba'],
      ['', 'a'],
    ] as const)
      expect(matchesGlob(glob, text), `${glob} ${text}`).equal(false)
  })

  it('does not backtrack', () => {
    const from = performance.now()
    expect(matchesGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(100_000))).equal(false)
    expect(performance.now() - from).lessThan(30_000)
  })
})
