import { expect } from 'chai'
import { statusClass } from '../../../lib/pages/status.ts'

describe('pages/status', () => {
  it('is neither good nor an error if the client has disconnected', () => {
    expect(statusClass(499, true)).equal('warn')
    expect(statusClass(499, false)).equal('warn')
    expect(statusClass(200, false)).equal('good')
    expect(statusClass(200, true)).equal('error')
    expect(statusClass(502, true)).equal('error')
  })
})
