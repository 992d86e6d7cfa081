import { expect } from 'chai'
import { isNamedInput, isNewName, mayBeIndex } from '../../../lib/body/json-names.ts'

type Check = (bytes: Buffer, from: number, to: number) => boolean

describe('names in JSON', () => {
  const of = (check: Check, name: string) => {
    const text = Buffer.from(`"${name}"`)
    return check(text, 1, text.length - 1)
  }

  it('are new until they were seen, if they are short', () => {
    expect(of(isNewName, 'a name of this test')).equal(true)
    expect(of(isNewName, 'a name of this test')).equal(false)
    expect(of(isNewName, 'another name of this test')).equal(true)
    const long = 'x'.repeat(33)
    expect([of(isNewName, long), of(isNewName, long)]).deep.equal([true, true])
  })

  it('may be new again after many others', () => {
    of(isNewName, 'first')
    for (let i = 0; i < 100_000; i++) of(isNewName, `other ${i}`)
    expect(of(isNewName, 'first')).equal(true)
  })

  it('may be indexes if they begin with a digit, also with an escaped one', () => {
    for (const name of ['0', '12a', '\\u0031']) expect(of(mayBeIndex, name), name).equal(true)
    for (const name of ['', 'a1', '-1', '\\u0041']) expect(of(mayBeIndex, name), name).equal(false)
  })

  it('are that of an input, or not', () => {
    expect(of(isNamedInput, 'input')).equal(true)
    for (const name of ['', 'inputs', 'Input']) expect(of(isNamedInput, name), name).equal(false)
  })
})
