import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { configOf, MODEL, problemsOf } from '../../../support/config.ts'

describe('the check of the currency', () => {
  it('knows the codes of ISO 4217', () => {
    expect(configOf(MODEL).currency).equal('USD')
    expect(configOf(`currency: EUR${MODEL}`).currency).equal('EUR')
    expect(problemsOf(`currency: XYZ${MODEL}`)).deep.equal(['currency: must be a code of ISO 4217, such as USD or EUR'])
    expect(problemsOf(`currency: usd${MODEL}`)[0]).equal('currency: must be three upper-case letters, such as USD')
  })
})

describe('checks on listeners', () => {
  it('refuses admin: true, and one address for both', () => {
    expect(problemsOf(`admin: true${MODEL}`)).deep.equal(['admin: must be false, or a block with host and port'])
    expect(problemsOf(`listen: { port: 9090 }${MODEL}`)).deep.equal([
      'admin.port: is the port that clients connect to: choose another',
    ])
    // Every address of the machine is also that one.
    for (const everywhere of ['0.0.0.0', "'::'"])
      expect(problemsOf(`listen: { host: ${everywhere}, port: 9090 }${MODEL}`)).deep.equal([
        'admin.port: is the port that clients connect to: choose another',
      ])
    expect(problemsOf(`listen: { host: 127.0.0.2, port: 9090 }${MODEL}`)).deep.equal([])
  })

  it('allows any free port for both', () => {
    expect(problemsOf(`listen: { port: 0 }\nadmin: { port: 0 }${MODEL}`)).deep.equal([])
  })

  it('refuses more processes than one without Redis', () => {
    const problem =
      'workers: more than one process needs limits_store to be a redis:// URL, so that they count together'
    expect(problemsOf(`workers: 2${MODEL}`)).deep.equal([problem])
    expect(problemsOf(`workers: 2\nlimits_store: redis://127.0.0.1${MODEL}`)).deep.equal([])
  })

  it('refuses a quota per user that is below the size of one file', () => {
    const files = (one: number, all: number) =>
      problemsOf(`files: { max_bytes: ${one}, max_total_bytes_per_user: ${all} }${MODEL}`)
    expect(files(4096, 4096)).deep.equal([])
    expect(files(4097, 4096)).deep.equal([
      'files.max_bytes: is more than max_total_bytes_per_user, so no file can be that large',
    ])
  })

  it('reads networks of image_fetch', () => {
    expect(problemsOf(`image_fetch: { allow: [10.0.0.0/8, 'fd00::/8', 127.0.0.1/32] }${MODEL}`)).deep.equal([])
    for (const network of ['10.0.0.0', '10.0.0.0/33', '::/129', 'intranet/8', '10.0.0.0/8/8', '10.0.0.0/']) {
      expect(problemsOf(`image_fetch: { allow: ['${network}'] }${MODEL}`), network).deep.equal([
        'image_fetch.allow.0: must be a network in CIDR notation, such as 10.1.0.0/16',
      ])
    }
  })
})

describe('checks on TLS files', () => {
  const fixtures = fileURLToPath(new URL('../../../fixtures/tls', import.meta.url))

  it('finds them from the directory of the configuration', () => {
    const text = `listen: { tls: { cert: cert.pem, key: ./key.pem } }${MODEL}`
    expect(configOf(text, {}, fixtures).listen.tls).deep.equal({
      cert: join(fixtures, 'cert.pem'),
      key: join(fixtures, 'key.pem'),
    })
  })

  it('wants both to be there', () => {
    const text = `listen: { tls: { cert: none.pem, key: key.pem } }${MODEL}`
    expect(problemsOf(text, {}, fixtures)).deep.equal([
      `listen.tls.cert: there is no file ${join(fixtures, 'none.pem')} that can be read`,
    ])
  })

  it('wants them to be a certificate and its key', () => {
    const text = `listen: { tls: { cert: key.pem, key: cert.pem } }${MODEL}`
    expect(problemsOf(text, {}, fixtures)).deep.equal([
      'listen.tls: these are not a certificate and its private key in PEM form',
    ])
  })
})

describe('checks on hosts', () => {
  it('gives a dedicated endpoint a host of its own', () => {
    const text = `hosts: { gateway: [a.test], api: [b.test] }${MODEL}endpoints:
  - { host: A.test, models: [m] }
  - { host: b.test, models: [m] }
  - { host: c.test, models: [m] }
  - { host: C.test, models: [m] }`
    expect(problemsOf(text)).deep.equal([
      "endpoints.0.host: 'a.test' cannot be a dedicated endpoint, because it is in hosts.gateway.0 too",
      "endpoints.1.host: 'b.test' cannot be a dedicated endpoint, because it is in hosts.api.0 too",
      "endpoints.3.host: 'c.test' is the host of endpoints.2.host already",
    ])
  })

  it('lets one host serve gateway and management', () => {
    expect(problemsOf(`hosts: { gateway: [a.test], api: [a.test] }${MODEL}`)).deep.equal([])
  })

  it('wants bare host names', () => {
    for (const host of ['http://a.test', 'a.test:8080', 'a.test/', 'a b', '-', '']) {
      expect(problemsOf(`hosts: { api: ['${host}'] }${MODEL}`), host).deep.equal([
        'hosts.api.0: must be a host name without scheme, port and path, such as api.example.com',
      ])
    }
    expect(problemsOf(`hosts: { api: ['[::1]', 127.0.0.1, localhost] }${MODEL}`)).deep.equal([])
  })
})

describe('origins of cors', () => {
  it('are * or without path', () => {
    expect(problemsOf(`cors: { origins: ['*', 'https://a.test', 'http://localhost:3000'] }${MODEL}`)).deep.equal([])
    expect(problemsOf(`cors: { origins: ['https://a.test/'] }${MODEL}`)).deep.equal([
      "cors.origins.0: must be '*' or an origin without path, such as https://app.example.com",
    ])
  })
})
