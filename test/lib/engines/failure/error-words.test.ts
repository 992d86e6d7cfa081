import { expect } from 'chai'
import { isErrorWord, isUnit } from '../../../../lib/engines/failure/error-words.ts'

describe('words of errors', () => {
  it('are found in upper and lower case, and include units', () => {
    for (const word of ['model', 'CUDA', 'EngineCore', 'tokens', 'GiB']) expect(isErrorWord(word), word).equal(true)
    for (const word of ['', 'Margarete', 'password', '4321', '…']) expect(isErrorWord(word), word).equal(false)
    expect([isUnit('Tokens'), isUnit('model')]).deep.equal([true, false])
  })
})
