import { expect } from 'chai'
import { quoted } from '../../../lib/base/quoted.ts'

describe('quoted', () => {
  it('repeats a word, and no more than a word', () => {
    expect(quoted('get_weather')).equal('get_weather')
    expect(quoted('x'.repeat(64))).equal('x'.repeat(64))
    expect(quoted('x'.repeat(65))).equal(`${'x'.repeat(64)}…`)
  })
})
