import { expect } from 'chai'
import { usePages } from '../../../support/operators.ts'

describe('the tabs of an account', () => {
  const pages = usePages()

  it('have a path each, and a heading', async () => {
    const { id } = await pages().api('POST', '/admin/v1/accounts', { name: 'Acme' })
    const path = `/accounts/${id}`
    for (const [end, tab] of [
      ['', 'Overview'],
      ['/history', 'Over time'],
      ['/keys', 'Keys'],
      ['/credits', 'Credit'],
      ['/limits', 'Limits'],
      ['/members', 'Members'],
      ['/audit', 'Audit'],
    ]) {
      const { status, text } = await pages().get(path + end)
      expect(status, tab).equal(200)
      expect(text)
        .contain(`<a href="${path}${end}" aria-current="page">${tab}</a>`)
        .and.contain(`<h2 class="hidden">${tab}</h2>`)
        .and.contain(`<title>${tab} · Acme · Operators</title>`)
        .and.contain('<h1>Acme</h1>')
      expect(text.match(/class="tabs".*?<\/nav>/)![0].match(/aria-current/g), tab).lengthOf(1)
    }
  })
})
