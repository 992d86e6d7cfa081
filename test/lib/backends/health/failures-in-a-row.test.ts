import { expect } from 'chai'
import { FailuresInARow } from '../../../../lib/backends/health/failures-in-a-row.ts'

const findings = (failures: FailuresInARow, accounts: string) => [...accounts].map(account => failures.failed(account))
const last = (accounts: string) => findings(new FailuresInARow(), accounts).at(-1)

describe('FailuresInARow', () => {
  it('is enough with five failures in a row from two accounts', () => {
    expect(findings(new FailuresInARow(), 'aabab')).deep.equal(['none', 'none', 'none', 'none', 'failing'])
    expect(last('aaaab')).equal('failing')
    expect(last('baaaa')).equal('failing')
  })

  it('of one account says that its requests may be at fault, however many there are', () => {
    expect(findings(new FailuresInARow(), 'aaaaaaa').slice(4)).deep.equal(['one-account', 'one-account', 'one-account'])
    expect(last('baaaaa')).equal('one-account')
  })

  it('begins again after a request was served', () => {
    const failures = new FailuresInARow()
    for (let round = 0; round < 3; round++) {
      expect(findings(failures, 'abab')).not.include('failing')
      expect(failures.isSuspicious).equal(false)
      failures.served()
    }
    findings(failures, 'aaaaa')
    expect(failures.isSuspicious).equal(true)
    failures.served()
    expect(failures.isSuspicious).equal(false)
    expect(findings(failures, 'aaaaa').at(-1)).equal('one-account')
  })

  it('of an account ends with a refusal to it, but not with refusals to others', () => {
    const failures = new FailuresInARow()
    findings(failures, 'aaaa')
    failures.refused('a')
    expect(findings(failures, 'aaaa')).deep.equal(['none', 'none', 'none', 'none'])
    failures.refused('b')
    expect(failures.failed('a')).equal('one-account')
    findings(failures, 'b')
    failures.refused('b')
    expect(failures.isSuspicious).equal(true)
  })

  it('needs no accounts where connections cannot be opened', () => {
    const failures = new FailuresInARow()
    for (let i = 0; i < 4; i++) expect(failures.unreachable()).equal('none')
    failures.connected()
    for (let i = 0; i < 4; i++) expect(failures.unreachable()).equal('none')
    expect(failures.unreachable()).equal('failing')
    failures.served()
    expect(failures.unreachable()).equal('none')
  })
})
