import { expect } from 'chai'
import { sortFields, sortHead, sortingOf } from '../../../lib/pages/sorting.ts'

const COLUMNS = [
  { name: 'name', head: 'Name', value: 1 },
  { name: 'cost', head: 'Cost#', value: 1 },
  { name: 'note', head: 'Note' },
]

describe('sorting by links', () => {
  const of = (query: string) =>
    sortingOf({ path: '/usage', query: new URLSearchParams(query), columns: COLUMNS, anchor: 'x' })

  it('keeps the filters of the query, without the cursor', () => {
    const sorting = of('account=a&cursor=3&sort=cost')
    if (typeof sorting === 'string') throw new Error(sorting)
    expect([sorting.by, sorting.order]).deep.equal(['cost', 'desc'])
    expect(sortHead('Cost#', 'cost', sorting).toString()).equal(
      '<a href="/usage?account=a&amp;sort=cost&amp;order=asc#x">Cost</a>',
    )
    expect(sortHead('Name', 'name', sorting).toString()).contain('sort=name&amp;order=asc')
  })

  it('refuses other columns and orders', () => {
    expect(of('sort=colour')).equal("'sort' must be of name, cost.")
    expect(of('sort=note')).equal("'sort' must be of name, cost.")
    expect(of('sort=cost&order=up')).equal("'order' must be asc or desc.")
  })

  it('stays in a form of filters', () => {
    expect(sortFields(new URLSearchParams('sort=cost&x=1')).toString()).equal(
      '<input type="hidden" name="sort" value="cost">',
    )
  })
})
