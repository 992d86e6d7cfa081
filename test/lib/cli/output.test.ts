import { expect } from 'chai'
import { reachable, table } from '../../../lib/cli/output.ts'

describe('reachable', () => {
  it('replaces addresses that mean every interface, and no other', () => {
    expect(reachable('http://0.0.0.0:80/v1')).equal('http://127.0.0.1:80/v1')
    expect(reachable('https://[::]:443')).equal('https://[::1]:443')
    expect(reachable('http://10.0.0.0:80')).equal('http://10.0.0.0:80')
  })
})

describe('table', () => {
  it('pads columns to their widest cell, without trailing blanks', () => {
    expect(
      table(
        ['A', 'LONG', 'C'],
        [
          ['value', '', 'x'],
          ['v', 'w', ''],
        ],
      ),
    ).equal('A      LONG  C\nvalue  -     x\nv      w     -\n')
  })

  it('is its head when there are no rows', () => {
    expect(table(['A', 'B'], [])).equal('A  B\n')
  })
})
