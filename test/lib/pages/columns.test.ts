import { expect } from 'chai'
import {
  type Column,
  chosenColumns,
  chosenCookie,
  columnForm,
  columnTable,
  pathAfterChoice,
} from '../../../lib/pages/columns.ts'
import { html } from '../../../lib/pages/html.ts'
import { sortingOf } from '../../../lib/pages/sorting.ts'

interface Row {
  readonly name: string
  readonly cost: number
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', head: 'Name', cell: ({ name }) => name, value: ({ name }) => name, shown: 'always' },
  { name: 'cost', head: 'Cost#', cell: ({ cost }) => cost, value: ({ cost }) => cost },
  { name: 'note', head: 'Note', cell: () => 'none', shown: 'extra' },
]
const ROWS = [
  { name: 'a', cost: 1 },
  { name: 'b', cost: 3 },
]
const PAGE = { path: '/usage', brand: 'service' }
const namesOf = (columns: readonly Column<Row>[]) => columns.map(({ name }) => name)

describe('a table by columns', () => {
  it('sorts by a link in a head, which says the order', () => {
    const sorting = sortingOf({ path: '/usage', query: new URLSearchParams('sort=cost'), columns: COLUMNS })
    if (typeof sorting === 'string') throw new Error(sorting)
    const table = columnTable('Costs', COLUMNS, ROWS, { sorting, detail: ({ name }) => `of ${name}` }).toString()
    expect(table).match(/class="number" aria-sort="descending"><a href="[^"]*order=asc">Cost<.*of b.*of a/s)
    expect(table).contain('<th scope="col">Note</th>')
    const given = columnTable('Costs', COLUMNS, ROWS, { sorting, isSorted: true }).toString()
    expect(given).match(/>a<.*>b</s)
  })

  it('has the columns of the cookie, and those that cannot be hidden', () => {
    const shown = (cookie?: string) => namesOf(chosenColumns(PAGE, COLUMNS, cookie === undefined ? {} : { cookie }))
    expect(shown()).deep.equal(['name', 'cost'])
    expect(shown('x=1; service_columns=note.wrong.<b>')).deep.equal(['name', 'note'])
    expect(shown('service_columns=-')).deep.equal(['name'])
  })

  it('keeps the choice in a cookie of its page, with known names only', () => {
    const cookie = (form: string, isSecure = false) => chosenCookie(PAGE, COLUMNS, new URLSearchParams(form), isSecure)
    const end = 'Path=/usage; Max-Age=31536000; HttpOnly; SameSite=Strict'
    expect(cookie('column=note&column=note&column=other')).equal(`service_columns=note; ${end}`)
    expect(cookie('')).equal(`service_columns=-; ${end}`)
    expect(cookie('column=cost', true)).equal(`service_columns=cost; ${end}; Secure`)
    expect(cookie('column=cost&default=yes')).contain('service_columns=; Path=/usage; Max-Age=0')
  })

  it('has a form that returns to the filters of the page', () => {
    const query = new URLSearchParams('account=a&sort=cost')
    const form = columnForm(PAGE, COLUMNS, COLUMNS.slice(0, 2), query, html`<b>token</b>`).toString()
    expect(form)
      .contain('action="/usage/columns"')
      .and.contain('value="name" checked disabled>')
      .and.contain('value="note">')
      .and.contain('name="back" value="account=a&amp;sort=cost"')
    expect(pathAfterChoice(PAGE, new URLSearchParams({ back: query.toString() }))).equal('/usage?account=a&sort=cost')
    expect(pathAfterChoice(PAGE, new URLSearchParams({ back: '' }))).equal('/usage')
    expect(pathAfterChoice(PAGE, new URLSearchParams({ back: '//evil.example/\r\nx: y' }))).match(/^\/usage\?%2F%2F/)
  })
})
