import { expect } from 'chai'
import { Evidence } from '../../../../lib/upstream/health/evidence.ts'

const findings = (evidence: Evidence, accounts: string) => [...accounts].map(account => evidence.failed(account))
const last = (accounts: string) => findings(new Evidence(), accounts).at(-1)

describe('Evidence', () => {
  it('is enough with five failures in a row from two accounts', () => {
    expect(findings(new Evidence(), 'aabab')).deep.equal(['none', 'none', 'none', 'none', 'failing'])
    expect(last('aaaab')).equal('failing')
    expect(last('baaaa')).equal('failing')
  })

  it('of one account says that its requests may be at fault, however many there are', () => {
    expect(findings(new Evidence(), 'aaaaaaa').slice(4)).deep.equal(['one-account', 'one-account', 'one-account'])
    expect(last('baaaaa')).equal('one-account')
  })

  it('begins again after a request was served', () => {
    const evidence = new Evidence()
    for (let round = 0; round < 3; round++) {
      expect(findings(evidence, 'abab')).not.include('failing')
      expect(evidence.isSuspicious).equal(false)
      evidence.served()
    }
    findings(evidence, 'aaaaa')
    expect(evidence.isSuspicious).equal(true)
    evidence.served()
    expect(evidence.isSuspicious).equal(false)
    expect(findings(evidence, 'aaaaa').at(-1)).equal('one-account')
  })

  it('of an account ends with a refusal to it, but not with refusals to others', () => {
    const evidence = new Evidence()
    findings(evidence, 'aaaa')
    evidence.refused('a')
    expect(findings(evidence, 'aaaa')).deep.equal(['none', 'none', 'none', 'none'])
    evidence.refused('b')
    expect(evidence.failed('a')).equal('one-account')
    findings(evidence, 'b')
    evidence.refused('b')
    expect(evidence.isSuspicious).equal(true)
  })

  it('needs no accounts where connections cannot be opened', () => {
    const evidence = new Evidence()
    for (let i = 0; i < 4; i++) expect(evidence.unreachable()).equal('none')
    evidence.connected()
    for (let i = 0; i < 4; i++) expect(evidence.unreachable()).equal('none')
    expect(evidence.unreachable()).equal('failing')
    evidence.served()
    expect(evidence.unreachable()).equal('none')
  })
})
