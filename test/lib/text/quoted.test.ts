import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { quoted, shellQuoted, shortened, words } from '../../../lib/text/quoted.ts'

describe('quoted', () => {
  it('repeats a name up to a limit', () => {
    expect(quoted('get_weather').full).equal('get_weather')
    expect(quoted('x'.repeat(64)).full).equal('x'.repeat(64))
    expect(quoted('x'.repeat(65)).full).equal(`${'x'.repeat(64)}…`)
    expect(quoted('get_weather', 3).full).equal('get…')
    expect(shortened('get_weather', 3)).equal('get…')
  })

  it('has the length of the whole name for records without names', () => {
    expect(quoted('get_weather', 3).withoutNames).equal('<11 characters>')
    expect(quoted('f').withoutNames).equal('<1 character>')
  })
})

describe('words', () => {
  it('builds a text with names and one without', () => {
    const inner = words`type '${quoted('secret')}'`
    const { full, withoutNames } = words`input.${3} has ${inner}, \\ which is ${'wrong'}.`
    expect(full).equal("input.3 has type 'secret', \\ which is wrong.")
    expect(withoutNames).equal("input.3 has type '<6 characters>', \\ which is wrong.")
  })

  it('is the only way to insert a quoted name into a text', () => {
    expect(() => `${quoted('secret')}`).throw(TypeError, 'words``')
  })
})

describe('shellQuoted', () => {
  it('passes through a shell unchanged', () => {
    for (const text of ['', `it's "$HOME" \`ls\` \\ !\n;`, "'"])
      expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).equal(text)
  })
})
