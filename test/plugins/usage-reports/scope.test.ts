import { expect } from 'chai'
import { scopeOf } from '../../../plugins/usage-reports/scope.ts'

describe('usage scope', () => {
  const config = { hosts: { gateway: ['pass.test'], api: null } }

  it('is a dedicated endpoint', () => {
    expect(scopeOf('Acme-1.test', config)).deep.equal({ endpoint: 'acme-1.test' })
  })

  it('is the serverless gateway by one of its hosts', () => {
    expect(scopeOf('PASS.test', config)).deep.equal({ surface: 'gateway' })
    expect(scopeOf('pass.test', { hosts: { gateway: null, api: null } })).deep.equal({ endpoint: 'pass.test' })
  })
})
