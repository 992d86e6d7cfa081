import { expect } from 'chai'
import { quoted, shortened, words } from '../../../lib/base/quoted.ts'

describe('quoted', () => {
  it('repeats a word, and no more than a word', () => {
    expect(quoted('get_weather').full).equal('get_weather')
    expect(quoted('x'.repeat(64)).full).equal('x'.repeat(64))
    expect(quoted('x'.repeat(65)).full).equal(`${'x'.repeat(64)}…`)
    expect(quoted('get_weather', 3).full).equal('get…')
    expect(shortened('get_weather', 3)).equal('get…')
  })

  it('tells the length of the whole word where names are not kept', () => {
    expect(quoted('get_weather', 3).withoutNames).equal('<11 characters>')
    expect(quoted('f').withoutNames).equal('<1 character>')
  })
})

describe('words', () => {
  it('puts a text together in both of its forms', () => {
    const inner = words`type '${quoted('secret')}'`
    const { full, withoutNames } = words`input.${3} has ${inner}, \\ which is ${'wrong'}.`
    expect(full).equal("input.3 has type 'secret', \\ which is wrong.")
    expect(withoutNames).equal("input.3 has type '<6 characters>', \\ which is wrong.")
  })

  it('is the only way to put one into a text', () => {
    expect(() => `${quoted('secret')}`).throw(TypeError, 'words``')
  })
})
