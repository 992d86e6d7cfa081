import { expect } from 'chai'
import { partition, supports } from '../../../plugins/rules/supports.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { modelWith, targetOf } from '../../support/canonical.ts'

describe('capabilities of a target', () => {
  it('are those of the card', () => {
    expect(supports(targetOf(modelWith({ n: true })), 'n')).equal(true)
    expect(supports(targetOf(modelWith({ n: true })), 'regex')).equal(false)
  })

  it('are those of the ZDR partition if it is used and sets them', () => {
    const config = modelWith({ n: true, grammar: true }, { zdr: { regex: true, n: false } })
    expect(supports(targetOf(config, true), 'regex')).equal(true)
    expect(supports(targetOf(config, true), 'n')).equal(false)
    expect(supports(targetOf(config, true), 'grammar')).equal(true)
    expect(supports(targetOf(config), 'regex')).equal(false)
    expect(supports(targetOf(config), 'n')).equal(true)
  })

  it('names the partition that lacks what the other one has', () => {
    const without = modelWith({ n: true }, { zdr: { regex: true, n: false } })
    const config = { ...without, backends: [backendConfig({ zdr: true })] }
    // No backend has zero data retention.
    expect(partition(targetOf(without), 'regex')).equal('')
    expect(partition(targetOf(config), 'regex')).equal(' without zero data retention')
    expect(partition(targetOf(config, true), 'n')).equal(' with zero data retention')
    expect(partition(targetOf(config), 'grammar')).equal('')
    expect(partition(targetOf(config, true), 'grammar')).equal('')
  })
})
