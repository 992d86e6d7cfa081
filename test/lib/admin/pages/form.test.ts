import { expect } from 'chai'
import { filled, numberIn, wordsIn } from '../../../../lib/admin/pages/form.ts'

describe('fields of forms', () => {
  const form = new URLSearchParams({ a: ' x ', blank: '  ', n: '-5', f: '1.5', wrong: '1e5', words: 'a, b\nc,,d' })

  it('are trimmed texts, or undefined', () => {
    expect(['a', 'blank', 'absent'].map(name => filled(form, name))).deep.equal(['x', undefined, undefined])
  })

  it('are numbers, or unchanged text for the check of the operation', () => {
    expect(['n', 'f', 'wrong', 'absent'].map(name => numberIn(form, name))).deep.equal([-5, 1.5, '1e5', undefined])
  })

  it('are lists of words', () => {
    expect(wordsIn(form, 'words')).deep.equal(['a', 'b', 'c', 'd'])
    expect(wordsIn(form, 'absent')).deep.equal([])
  })
})
