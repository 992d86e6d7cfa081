import { expect } from 'chai'
import { cordon, uncordon } from '../../../lib/admin/backends.ts'
import { cordonBackend, listCordons } from '../../../lib/store/cordons.ts'
import { refusal, useAdminContext } from '../../support/admin-context.ts'

const URL = 'http://127.0.0.1:8000/v1'

describe('cordons of backends', () => {
  const { context, audit } = useAdminContext()

  it('begin and end, for every model at the address or for one', async () => {
    expect(await cordon(context(), { url: '127.0.0.1:8000' })).deep.equal({ url: URL, model: null, drained: true })
    expect(await cordon(context(), { url: URL, model: 'm' })).deep.equal({ url: URL, model: 'm', drained: true })
    expect(await uncordon(context(), { url: URL, model: 'm' })).deep.equal({ url: URL, model: 'm', drained: false })
    expect(await listCordons(context().store)).deep.equal([{ url: URL, model: undefined }])
    expect(await audit()).deep.equal(['backend.undrain', 'backend.drain', 'backend.drain'])
  })

  it('do not end for one model if they are for every model, and say so', async () => {
    await cordon(context(), { url: URL })
    expect(await refusal(uncordon(context(), { url: URL, model: 'm' }))).match(
      /^404 http_404 http:\/\/127\.0\.0\.1:8000\/v1 is drained for every model: end that without naming a model/,
    )
    expect(await listCordons(context().store)).deep.equal([{ url: URL, model: undefined }])
  })

  it('end even if the backend is no longer in the file', async () => {
    await cordonBackend(context().store, { url: 'http://gone:1/v1', model: undefined }, 1)
    expect(await uncordon(context(), { url: 'http://gone:1/v1' })).include({ drained: false })
  })

  it('are refused for unknown backends, and do not end if there is none', async () => {
    expect(await refusal(cordon(context(), { url: 'http://nowhere:1' }))).match(/^404 http_404 there is no backend/)
    expect(await refusal(uncordon(context(), { url: 'http://nowhere:1' }))).match(/^404/)
    expect(await refusal(uncordon(context(), { url: URL }))).match(/^404 .*is not drained/)
    expect(await audit()).deep.equal([])
  })
})
