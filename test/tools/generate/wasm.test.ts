import { expect } from 'chai'
import { assembled } from '../../../tools/generate/wasm.ts'

describe('tools/generate/wasm', () => {
  it('assembles a module', async () => {
    const code = await assembled('x.wat', '(module (func (export "f") (result i32) (i32.const 7)))')
    expect(code.subarray(0, 8)).deep.equal(Buffer.from('\0asm\x01\0\0\0', 'latin1'))
  })

  it('says where a module is wrong', async () => {
    const error = await assembled('x.wat', '(module\n(func (result i32)))').catch((thrown: unknown) => thrown)
    expect(String(error)).contain('x.wat:2').and.contain('type mismatch')
  })
})
