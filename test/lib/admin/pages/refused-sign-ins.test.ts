import { expect } from 'chai'
import { RefusedSignIns } from '../../../../lib/admin/pages/refused-sign-ins.ts'
import { eventually } from '../../../support/gateway.ts'

describe('refused attempts to sign in', () => {
  it('are noted at once, and together while more follow', async () => {
    const noted: (readonly [number, string])[] = []
    const refused = new RefusedSignIns(async (attempts, { by }) => void noted.push([attempts, by]), 50)
    refused.add({ by: 'key', address: null })
    expect(noted).deep.equal([[1, 'key']])
    for (const by of ['key', 'key', 'link']) refused.add({ by, address: null })
    expect(noted).length(1)
    await eventually(() => noted.length === 2)
    expect(noted[1]).deep.equal([3, 'link'])
    refused.add({ by: 'key', address: null })
    await eventually(() => noted.length === 3)
    expect(noted[2]).deep.equal([1, 'key'])
  })
})
