import { expect } from 'chai'
import { actorLink, backendLink, modelLinks, ownerHref } from '../../../../lib/admin/pages/links.ts'

describe('links of operators', () => {
  it('lead to pages of models and backends', () => {
    expect(modelLinks(['org/m', '<n>']).toString()).equal(
      '<a href="/models/org%2Fm/history">org/m</a>, <a href="/models/%3Cn%3E/history">&lt;n&gt;</a>',
    )
    expect(backendLink('m', 'http://a:1/v1').toString())
      .contain('href="/backends/history?model=m&amp;url=http%3A%2F%2Fa%3A1%2Fv1"')
      .and.contain('>a:1<')
  })

  it('lead to requests of a key or a user, in the account if there is one', () => {
    expect(ownerHref('user', 'a@x', 'acc')).equal('/requests?account=acc&user=a%40x')
    expect(ownerHref('key', 'console:a@x', null)).equal('/requests?key=console%3Aa%40x')
  })

  it('lead to entries of an actor', () => {
    expect(actorLink('operator a (op_1)').toString()).equal(
      '<a href="/audit?actor=operator+a+%28op_1%29">operator a (op_1)</a>',
    )
  })
})
