import { expect } from 'chai'
import { table } from '../../../lib/cli/table.ts'

describe('table', () => {
  it('makes columns as wide as they must be, without blanks at the ends', () => {
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
