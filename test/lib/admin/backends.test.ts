import { expect } from 'chai'
import { drain, undrain } from '../../../lib/admin/backends.ts'
import { drainBackend, listDrains } from '../../../lib/store/drains.ts'
import { refusal, useDesk } from '../../support/desk.ts'

const URL = 'http://127.0.0.1:8000/v1'

describe('drains, for operators', () => {
  const { desk, audit } = useDesk()

  it('begin and end, for every model at the address or for one', async () => {
    expect(await drain(desk(), { url: '127.0.0.1:8000' })).deep.equal({ url: URL, model: null, drained: true })
    expect(await drain(desk(), { url: URL, model: 'm' })).deep.equal({ url: URL, model: 'm', drained: true })
    expect(await undrain(desk(), { url: URL, model: 'm' })).deep.equal({ url: URL, model: 'm', drained: false })
    expect(await listDrains(desk().store)).deep.equal([{ url: URL, model: undefined }])
    expect(await audit()).deep.equal(['backend.undrain', 'backend.drain', 'backend.drain'])
  })

  it('end also where the backend has left the file', async () => {
    await drainBackend(desk().store, { url: 'http://gone:1/v1', model: undefined }, 1)
    expect(await undrain(desk(), { url: 'http://gone:1/v1' })).include({ drained: false })
  })

  it('are refused for backends that there are not, and where nothing is drained', async () => {
    expect(await refusal(drain(desk(), { url: 'http://nowhere:1' }))).match(/^404 http_404 there is no backend/)
    expect(await refusal(undrain(desk(), { url: 'http://nowhere:1' }))).match(/^404/)
    expect(await refusal(undrain(desk(), { url: URL }))).match(/^404 .*is not drained/)
    expect(await audit()).deep.equal([])
  })
})
