import { expect } from 'chai'
import { csvOfPages, csvReply, MAX_CSV_ROWS } from '../../../lib/admin/csv.ts'
import type { JsonObject } from '../../../lib/base/json.ts'

describe('CSV of operators', () => {
  it('has a column per member, in a cell each', () => {
    const rows = [{ a: 'x', b: ['m', 'n'], c: { d: 1 }, e: false, f: null }, { a: 2 }]
    expect(csvReply(['a', 'b', 'c', 'e', 'f'], rows, 'USD').text).equal(
      '\ufeffa,b,c,e,f\r\nx,m n,"{""d"":1}",false,\r\n2,,,,\r\n',
    )
  })

  it('has the currency in the head of an amount', () => {
    const { text } = csvReply(['amount_cents', 'cost_microcents', 'percents'], [{ amount_cents: 4.859944 }], 'EUR')
    expect(text).equal('\ufeffamount_cents (EUR),cost_microcents (EUR),percents\r\n4.859944,,\r\n')
  })

  const pages = (count: number, size: number, isOver = () => false) => {
    const asked: (string | undefined)[] = []
    const read = async (cursor: string | undefined): Promise<JsonObject> => {
      asked.push(cursor)
      const at = Number(cursor ?? 0)
      return { list: Array.from({ length: size }, () => ({ a: at })), cursor: at + 1 < count ? String(at + 1) : null }
    }
    return { asked, reply: csvOfPages({ list: 'list', members: ['a'], currency: 'USD', isOver, read }) }
  }

  it('reads every page of a list', async () => {
    const { asked, reply } = pages(3, 1)
    expect(await reply).include({ text: '\ufeffa\r\n0\r\n1\r\n2\r\n', next: null })
    expect(asked).deep.equal([undefined, '1', '2'])
  })

  it('ends after a number of rows or a time, with the cursor of the rest', async () => {
    expect((await pages(9, MAX_CSV_ROWS / 2).reply).next).equal('2')
    expect((await pages(9, 1, () => true).reply).next).equal('1')
  })
})
