import { expect } from 'chai'
import { bodyFor, release } from '../../../../lib/engines/encode/backend-body.ts'
import { backendWith } from '../../../support/backend-config.ts'
import { chatRequest, model, targetOf, tool } from '../../../support/canonical.ts'

describe('bodies for backends', () => {
  const bodyAt = (profile: Parameters<typeof backendWith>[0], more: object) =>
    bodyFor(chatRequest(), { ...targetOf(model()), ...more }, backendWith(profile))

  it('carry the priority of the plan where the engine takes it, by its own order', () => {
    expect(bodyAt({ priority: 'lower_first' }, { priority: 5 })).include({ priority: -5 })
    expect(bodyAt({ priority: 'higher_first' }, { priority: 5 })).include({ priority: 5 })
    expect(bodyAt({ priority: 'lower_first' }, {})).not.have.property('priority')
    expect(bodyAt({}, { priority: 5 })).not.have.property('priority')
  })

  it('carry the salt of the account where the engine takes it', () => {
    expect(bodyAt({}, { cacheSalt: 'abc' })).include({ cache_salt: 'abc' })
    expect(bodyAt({ cache_salt: false }, { cacheSalt: 'abc' })).not.have.property('cache_salt')
  })

  it('leave the request without its conversation when they are not needed any more', () => {
    const request = chatRequest({ tools: [tool({ description: 'long' })] })
    release(request)
    expect(request.messages).deep.equal([])
    expect(request.tools[0]).include({ name: 'look_up', description: undefined, parameters: undefined })
  })
})
