import { expect } from 'chai'
import { csvOf } from '../../../lib/base/csv.ts'

describe('csv', () => {
  it('quotes what would end a cell', () => {
    expect(csvOf([['a,b', 'say "x"', 'two\r\nlines', 'plain']])).equal('"a,b","say ""x""","two\r\nlines",plain\r\n')
  })

  it('has numbers as they are, and nothing for what is not there', () => {
    expect(csvOf([[1.5, -2, null, undefined, ''], ['x']])).equal('1.5,-2,,,\r\nx\r\n')
  })

  it('lets no text be a formula', () => {
    expect(csvOf([['=1+1', '+1', '-1', '@x', '\tx']])).equal("'=1+1,'+1,'-1,'@x,'\tx\r\n")
  })
})
