import { expect } from 'chai'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { KEY, type TestGateway, testGateway } from '../support/gateway.ts'

describe('a gateway without batches', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url] })
  })
  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const paths = [
    '/v1/batches',
    '/v1/batches/x',
    '/v1/batches/x/cancel',
    '/v1/messages/batches',
    '/v1/messages/batches/x',
  ]

  it('answers their routes like unknown ones, whatever the method', async () => {
    for (const path of [...paths, '/v1/messages/batches/x/results', '/v1/none']) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        const response = await fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${KEY}` } })
        const { error, type } = (await response.json()) as { error: { code: string; message: string }; type?: string }
        expect([response.status, error.code], `${method} ${path}`).deep.equal([404, 'http_404'])
        expect(error.message).contain(`No such route: ${path}. Routes here: `)
        expect(error.message.split('Routes here')[1]).not.contain('batches')
        expect(type).equal(path.startsWith('/v1/messages') ? 'error' : undefined)
      }
    }
  })

  it('takes no files for them, and describes none of this', async () => {
    const body = new FormData()
    body.append('file', new Blob(['{}']), 'a.jsonl')
    body.append('purpose', 'batch')
    const headers = { authorization: `Bearer ${KEY}` }
    const refused = await fetch(`${gateway.url}/v1/files`, { method: 'POST', body, headers })
    expect([refused.status, ((await refused.json()) as { error: { param: string } }).error.param]).deep.equal([
      422,
      'file',
    ])
    const { paths: described } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: object }
    expect(Object.keys(described).filter(path => path.includes('batches'))).deep.equal([])
  })
})
