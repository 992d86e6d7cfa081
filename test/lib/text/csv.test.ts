import { expect } from 'chai'
import { csvOf as markedCsvOf } from '../../../lib/text/csv.ts'

describe('csv', () => {
  const csvOf = (rows: Parameters<typeof markedCsvOf>[0]) => markedCsvOf(rows).replace(/^\ufeff/, '')

  it('begins with a byte order mark', () => {
    expect(markedCsvOf([['ü']])).equal('\ufeffü\r\n')
  })

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
