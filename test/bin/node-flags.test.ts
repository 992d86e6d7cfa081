import { expect } from 'chai'
import { nodeEnvironment } from '../../bin/node-flags.mjs'

describe('the Node of the command', () => {
  const name = 'MALLOC_MMAP_THRESHOLD_'
  const before = process.env[name]
  afterEach(() => {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  })

  it('has a malloc that maps what is 24 KB or larger, unless it was told otherwise', () => {
    delete process.env[name]
    expect(nodeEnvironment()).deep.equal({ [name]: '24576' })
    process.env[name] = '1000'
    expect(nodeEnvironment()).deep.equal({ [name]: '1000' })
  })
})
