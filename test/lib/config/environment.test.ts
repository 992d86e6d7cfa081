// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are what is filled in
import { expect } from 'chai'
import { fillEnvironment } from '../../../lib/config/environment.ts'

describe('fillEnvironment', () => {
  it('replaces variables in every text, however deep', () => {
    const { value, problems } = fillEnvironment(
      { a: ['x-${ONE}-${TWO}', 7, null, true], b: { c: '${ONE}' } },
      { ONE: '1', TWO: '2' },
    )
    expect(value).deep.equal({ a: ['x-1-2', 7, null, true], b: { c: '1' } })
    expect(problems).deep.equal([])
  })

  it('names a variable that is not set, and where it is wanted', () => {
    const { problems } = fillEnvironment({ a: [{ key: '${NOPE}' }] }, {})
    expect(problems).deep.equal([{ path: 'a.0.key', message: 'environment variable NOPE is not set' }])
  })

  it('takes an empty variable for set', () => {
    expect(fillEnvironment('a${EMPTY}b', { EMPTY: '' })).deep.include({ value: 'ab', problems: [] })
  })

  it('leaves $${ alone, but for one dollar', () => {
    expect(fillEnvironment('$${NAME} $5 {x} $', { NAME: 'no' }).value).equal('${NAME} $5 {x} $')
  })

  it('fills in a value once: what a variable holds is not looked at again', () => {
    expect(fillEnvironment('${A}', { A: '${B}', B: 'no' }).value).equal('${B}')
  })

  it('refuses what is no name', () => {
    const { problems } = fillEnvironment('${A:-b}', { A: '1' })
    expect(problems).lengthOf(1)
    expect(problems[0]!.message).contain('write $${ for a literal ${')
  })

  it('does not take what every object has for a variable', () => {
    expect(fillEnvironment('${constructor}', {}).problems).lengthOf(1)
  })

  it('remembers which texts were one variable and nothing else', () => {
    const { whole } = fillEnvironment({ port: '${P}', url: 'http://${P}', both: '${P}${P}' }, { P: '1' })
    expect([...whole]).deep.equal(['port'])
  })

  it('leaves names of members as they are', () => {
    expect(fillEnvironment({ '${A}': 1 }, { A: 'x' }).value).deep.equal({ '${A}': 1 })
  })
})
