import { expect } from 'chai'
import { csvOf } from '../../../lib/text/csv.ts'

describe('csv', () => {
  it('quotes cells that contain separators', () => {
    expect(csvOf([['a,b', 'say "x"', 'two\r\nlines', 'plain']])).equal('"a,b","say ""x""","two\r\nlines",plain\r\n')
  })

  it('writes numbers unchanged and absent values as empty cells', () => {
    expect(csvOf([[1.5, -2, null, undefined, ''], ['x']])).equal('1.5,-2,,,\r\nx\r\n')
  })

  it('disarms formulas', () => {
    expect(csvOf([['=1+1', '+1', '-1', '@x', '\tx']])).equal("'=1+1,'+1,'-1,'@x,'\tx\r\n")
  })
})
