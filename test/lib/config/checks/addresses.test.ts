import { expect } from 'chai'
import { MODEL, problemsOf } from '../../../support/config.ts'

const storeProblems = (url: string) => problemsOf(`store: "${url}"${MODEL}`)

describe('checks on addresses', () => {
  it('refuses URLs of PostgreSQL that pg cannot use, or reads in another way', () => {
    const form =
      'store: must look like postgres://user:password@host:5432/database, with a password in percent-encoding: / is %2F'
    const urls = [
      'u:pa/ss@h/db',
      'u:12/ss@h/db',
      'u:p#x@h/db',
      'u:1#x@h/db',
      'u:p?x@h/db',
      'u:%ff@h/db',
      'h/%ff',
      'h b/d',
    ]
    for (const url of urls) expect(storeProblems(`postgres://${url}`), url).deep.equal([form])
    const several = 'store: names several hosts: name one, such as a proxy or an address that moves to the primary'
    for (const url of ['u:p@a,b/db', 'u:p@a:1,b:2/db', 'u:p@/db?host=a,b'])
      expect(storeProblems(`postgresql://${url}`), url).deep.equal([several])
    expect(storeProblems('postgres://u:p@h:99999/db')).deep.equal(['store: has a port above 65535'])
    expect(storeProblems('postgres://h/db?sslmode=verify-full&sslrootcert=/no/ca.pem')).deep.equal([
      'store: there is no file /no/ca.pem that can be read, which sslrootcert names',
    ])
  })

  it('accepts what pg can use', () => {
    const urls = [
      'h/db',
      'u:50%25@h:5432/db',
      'u:p%@h/db',
      'u:p@x@h/db',
      'u:p@/db?host=/tmp',
      '/db?host=/tmp',
      'u@[::1]:5432/db',
    ]
    for (const url of [...urls, 'u:p@%2Ftmp/db', 'h/db?user=x@y'])
      expect(storeProblems(`postgres://${url}`), url).deep.equal([])
  })

  it('refuses ports that do not exist in every URL', () => {
    const url = 'http://a.example.com:99999'
    for (const member of [`docs_url: ${url}`, `topup_url: ${url}`]) {
      expect(problemsOf(member + MODEL)).deep.equal([`${member.split(':')[0]}: must be a URL`])
    }
    expect(problemsOf(`cors: { origins: ["*", "${url}"] }${MODEL}`)).deep.equal(['cors.origins.1: must be a URL'])
    expect(problemsOf(`limits_store: redis://h:99999${MODEL}`)).deep.equal([
      "limits_store: 'h:99999' has no valid port",
    ])
  })

  it('refuses hosts that no machine has', () => {
    const problem = 'must be an IP address or a host name, such as 0.0.0.0'
    for (const host of ['http://0.0.0.0', '0.0.0.0:8080', '[::]', 'my host', '256.1.1.1'])
      expect(problemsOf(`listen: { host: "${host}" }${MODEL}`), host).deep.equal([`listen.host: ${problem}`])
    expect(problemsOf(`admin: { host: "a b" }${MODEL}`)).deep.equal([`admin.host: ${problem}`])
    for (const host of ['0.0.0.0', '::', 'fe80::1%eth0', 'localhost', 'gateway-1.example.com'])
      expect(problemsOf(`listen: { host: "${host}" }${MODEL}`), host).deep.equal([])
  })
})
