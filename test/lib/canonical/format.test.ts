import { expect } from 'chai'
import { type ClientNames, renamed } from '../../../lib/canonical/format.ts'

const NAMES: ClientNames = [
  [/^(tools\.\d+)\.function\.parameters(?=\.|$)/, '$1.input_schema'],
  [/^(tools\.\d+)\.function(?=\.|$)/, '$1'],
]

describe('renamed', () => {
  it('replaces what the first pattern matches', () => {
    expect(renamed('tools.3.function.parameters.type', NAMES)).equal('tools.3.input_schema.type')
    expect(renamed('tools.3.function.name', NAMES)).equal('tools.3.name')
  })

  it('leaves other paths as they are', () => {
    expect(renamed('tools.3.functional', NAMES)).equal('tools.3.functional')
  })
})
