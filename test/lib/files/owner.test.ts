import { expect } from 'chai'
import { fileOwner, referredFileOwner } from '../../../lib/files/owner.ts'
import { refusal } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

describe('files/owner', () => {
  it('is the user in the account, the same for all keys', () => {
    const alice = fileOwner(keyOf())
    expect(alice).match(/^[0-9a-f]{32}$/)
    expect(fileOwner(keyOf({}, { id: 'k2', endpoints: ['acme-1.test'] }))).equal(alice)
    expect(fileOwner(keyOf({}, { user: 'bob@acme.test' }))).not.equal(alice)
    expect(fileOwner(keyOf({ id: '7a3d2f0b-9e2c-4d68-8b64-1e7c2d2a8f32' }))).not.equal(alice)
  })

  it('is undefined for keys without a user and for those of another kind', () => {
    expect(fileOwner(keyOf({}, { user: undefined }))).equal(undefined)
    for (const kind of ['pass', 'dedicated'] as const) expect(fileOwner(keyOf({}, { kind })), kind).equal(undefined)
  })

  it('may be referred to on the gateway, without zero data retention', () => {
    const referring = (members: Partial<Parameters<typeof referredFileOwner>[0]>) =>
      referredFileOwner({ key: keyOf(), surface: 'gateway', zdr: false, ...members }, 'messages.0')
    const refused = (members: Parameters<typeof referring>[0]) => refusal(() => referring(members))
    const param = 'messages.0'
    expect(referring({})).equal(fileOwner(keyOf()))
    expect(refused({ zdr: true })).deep.equal({ code: 'file_id_not_allowed_with_zdr', status: 400, param })
    expect(refused({ surface: 'dedicated' })).deep.equal({ code: 'unsupported_parameter', status: 400, param })
    const legacy = keyOf({}, { user: undefined })
    expect(refused({ key: legacy })).deep.equal({ code: 'files_require_user_key', status: 403, param })
    // Refusals about the request precede refusals about the key.
    expect(refused({ key: legacy, zdr: true })?.code).equal('file_id_not_allowed_with_zdr')
  })
})
