import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { configOf, problemsOf } from '../../../support/config.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures/tls', import.meta.url))

const of = (members: string, more = '') =>
  `${more}\nmodels: [{ id: m, backends: [{ url: "https://gpu.test/v1", ${members} }] }]`
const problems = (members: string, more = '') => problemsOf(of(members, more), {}, fixtures)

describe('checks on the way to backends', () => {
  it('read the files of a backend', () => {
    const { backends } = configOf(
      of('tls: { ca: cert.pem, cert: cert.pem, key: ./key.pem, servername: localhost }'),
      {},
      fixtures,
    ).models[0]!
    const content = (name: string) => readFileSync(join(fixtures, name), 'utf8')
    expect(backends[0]!.tls).deep.equal({
      ca: content('cert.pem'),
      cert: content('cert.pem'),
      key: content('key.pem'),
      servername: 'localhost',
    })
    expect(configOf(of('tls: { ca: cert.pem, cert: cert.pem, key: ./key.pem }'), {}, fixtures).tlsFiles).deep.equal([
      join(fixtures, 'cert.pem'),
      join(fixtures, 'key.pem'),
    ])
    expect(configOf(of('proxy: "http://10.0.0.5:3128"')).models[0]!.backends[0]!.proxy).equal('http://10.0.0.5:3128')
  })

  it('report files that cannot be used', () => {
    const at = 'models.0.backends.0.tls'
    expect(problems('tls: { ca: none.pem }')).deep.equal([
      `${at}.ca: there is no file ${join(fixtures, 'none.pem')} that can be read`,
    ])
    expect(problems('tls: { ca: key.pem }')).deep.equal([`${at}.ca: has no certificates in PEM form`])
    expect(problems('tls: { cert: cert.pem }')).deep.equal([`${at}: needs both cert and key, or neither`])
    expect(problems('tls: { cert: cert.pem, key: renewed-key.pem }')).deep.equal([
      `${at}: these are not a certificate and its private key in PEM form`,
    ])
  })

  it('report TLS to a server without it', () => {
    const plain = 'models: [{ id: m, backends: [{ url: "http://gpu.test/v1", tls: { servername: a } }] }]'
    expect(problemsOf(plain)).deep.equal(['models.0.backends.0.tls: has no meaning without https'])
    const found = (scheme: string) =>
      problemsOf(
        `models: [{ id: m, backends: [{ discover: dns, name: a, scheme: ${scheme}, tls: { servername: a } }] }]`,
      )
    expect(found('https')).deep.equal([])
    expect(found('http')).lengthOf(1)
  })

  it('report proxies that are not http://host:port', () => {
    for (const proxy of ['https://p:1', 'http://u:p@p:1', 'http://p:1/x', 'http://p:99999', 'p:1']) {
      expect(problems(`proxy: "${proxy}"`), proxy).deep.equal(['models.0.backends.0.proxy: must be http://host:port'])
      expect(problems('zdr: false', `image_fetch: { proxy: "${proxy}" }`), proxy).deep.equal([
        'image_fetch.proxy: must be http://host:port',
      ])
    }
  })
})
