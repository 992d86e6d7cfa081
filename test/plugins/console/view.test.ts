import { expect } from 'chai'
import { requestsHref, viewFields, viewOf } from '../../../plugins/console/view.ts'
import { noOwnKeys, ownAccount } from '../../support/visitors.ts'

const ANN = { user: 'ann', secret: 's' }
const accounts = [ownAccount({ id: 'a', name: '<A>' }), ownAccount({ id: 'b', role: 'member' })]
const services = { ownKeys: { ...noOwnKeys, accounts: async () => accounts } }
const view = (query: string) => viewOf(services, ANN, new URLSearchParams(query))

describe('view', () => {
  it('is the requested account, or the first one', async () => {
    expect(await view('')).include({ account: accounts[0], isTeam: false })
    expect(await view('account=b')).include({ account: accounts[1] })
    expect(await view('account=c')).equal('You have no such account.')
    expect(await viewOf({ ownKeys: noOwnKeys }, ANN, new URLSearchParams())).contain('no account')
  })

  it('shows all members only to managers of the account', async () => {
    expect(await view('who=team')).include({ isTeam: true })
    expect(await view('account=b&who=team')).equal('You may see only your own there.')
  })

  it('has a list of requests for each filter', () => {
    const filters = { account: 'a', who: false, model: 'm&n', since: '30d' } as const
    expect(requestsHref(filters)).equal('/console/requests?account=a&model=m%26n&since=30d')
  })

  it('has fields if there is more than one view', async () => {
    const both = viewFields({ accounts, account: accounts[0]!, isTeam: true }).toString()
    expect(both).contain('&lt;A&gt;').and.contain('<option value="team" selected>')
    expect(
      viewFields({ accounts: [accounts[1]!], account: accounts[1]!, isTeam: false })
        .toString()
        .trim(),
    ).equal('')
  })
})
