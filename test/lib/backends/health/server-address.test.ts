import { expect } from 'chai'
import { serverAddressOf } from '../../../../lib/backends/health/server-address.ts'
import type { BackendConfig } from '../../../../lib/config/config.ts'
import { backendConfig, backendWith } from '../../../support/backend-config.ts'

const keyOf = (members: Partial<BackendConfig>) => serverAddressOf(backendConfig(members))?.key

describe('backends/health/server-address', () => {
  it('is one for all models and paths of a server', () => {
    const url = 'http://gpu:8000/v1'
    const key = keyOf({ url, headers: { a: '1', b: '2' } })
    expect(keyOf({ url: 'http://gpu:8000/other/v1/', model: 'x', headers: { b: '2', a: '1' } })).equal(key)
    for (const other of [
      { url: 'http://gpu:8001/v1' },
      { url: 'https://gpu:8000/v1' },
      { url, api_key: 'k' },
      { url, headers: { a: '1' } },
      { url, headers: { a: '1', b: '3' } },
    ])
      expect(keyOf(other)).not.equal(key)
  })

  it('has the health route below the root, with its query', () => {
    const config = { ...backendWith({ health_path: '/ready?deep=1' }), url: 'http://gpu:8000/v1' }
    expect(serverAddressOf(config)).deep.include({
      path: '/ready?deep=1',
      address: { url: 'http://gpu:8000', api_key: undefined, headers: {} },
    })
    expect(serverAddressOf(backendConfig({ url: 'http://gpu:8000/v1' }))?.key).not.equal(serverAddressOf(config)?.key)
  })

  it('is none where the profile has no health route', () => {
    expect(serverAddressOf(backendWith({ health_path: null }))).equal(undefined)
  })
})
