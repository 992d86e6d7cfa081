import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { boundedFetch } from '../../../lib/oidc/bounded-fetch.ts'

describe('requests to an issuer', () => {
  let server: Server
  let url = ''
  before(async () => {
    server = createServer((req, res) => {
      res.writeHead(201, { 'content-type': 'application/json' })
      if (req.url === '/small') return res.end('{}')
      if (req.url === '/empty') return res.end()
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      }
      res.on('drain', more)
      return more()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('pass status, headers and body on', async () => {
    const response = await boundedFetch(`${url}/small`, {})
    expect([response.status, response.headers.get('content-type')]).deep.equal([201, 'application/json'])
    expect(await response.json()).deep.equal({})
    expect(await (await boundedFetch(`${url}/empty`, {})).text()).equal('')
  })

  it('do not read an answer without end', async () => {
    const failed = await boundedFetch(`${url}/endless`, {}).catch((error: unknown) => error)
    expect(failed).instanceOf(TypeError)
  })
})
