import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect } from 'chai'
import { authorityOf, openTunnel, TunnelError } from '../../../lib/transport/tunnel.ts'
import { type TestProxy, testProxy } from '../../support/tunnels.ts'

describe('transport/tunnel', () => {
  let proxy: TestProxy
  let server: Server
  let authority = ''
  before(async () => {
    proxy = await testProxy()
    server = createServer(socket => socket.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    proxy.asked.length = 0
    proxy.status = 200
  })
  after(() => {
    proxy.close()
    server.close()
  })
  const failed = async (opened: Promise<unknown>): Promise<Error> => {
    try {
      await opened
    } catch (thrown) {
      return thrown as Error
    }
    throw new Error('not failed')
  }

  it('connects to the authority through the proxy', async () => {
    const socket = await openTunnel(proxy.url, authority, 1000)
    const [data] = (await once(socket, 'data')) as [Buffer]
    expect(data.toString()).equal('hello')
    expect(proxy.asked).deep.equal([{ target: authority, host: authority }])
    socket.destroy()
  })

  it('fails with the status of the proxy', async () => {
    proxy.status = 403
    const error = await failed(openTunnel(proxy.url, authority, 1000))
    expect(error).instanceOf(TunnelError).include({ message: 'the proxy answers 403', isTimeout: false })
  })

  it('fails if the proxy does not answer in time, cannot be reached, or the signal aborts', async () => {
    proxy.status = null
    expect(await failed(openTunnel(proxy.url, authority, 50))).include({ isTimeout: true })
    expect(await failed(openTunnel(proxy.url, authority, 1000, AbortSignal.timeout(20)))).include({
      name: 'AbortError',
    })
    expect(await failed(openTunnel('http://127.0.0.1:1', authority, 1000))).include({ code: 'ECONNREFUSED' })
  })

  it('names the port of the scheme', () => {
    const urls = ['https://gpu.test/v1', 'http://gpu.test', 'http://[::1]:8000/v1']
    expect(urls.map(url => authorityOf(new URL(url)))).deep.equal(['gpu.test:443', 'gpu.test:80', '[::1]:8000'])
  })
})
