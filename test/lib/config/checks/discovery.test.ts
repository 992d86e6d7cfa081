import { expect } from 'chai'
import { problemsOf } from '../../../support/config.ts'

const of = (...entries: readonly string[]) =>
  problemsOf(`models: [{ id: m, backends: [${entries.join(', ')}] }]`).map(problem =>
    problem.replace(/^models\.0\.backends\./, ''),
  )

describe('checks on discovery', () => {
  it('accepts what can be looked for', () => {
    const entries = [
      '{ discover: dns, name: vllm.default.svc, port: 8000 }',
      '{ discover: dns, name: _http._tcp.vllm.default.svc., type: SRV, scheme: https, base_path: /, every_seconds: 1 }',
      "{ discover: dns, name: a, type: AAAA, servers: [10.0.0.10, '10.0.0.10:5353', '::1', '[::1]:53'] }",
      '{ discover: file, path: targets.yaml, port: 8000, weight: 2 }',
    ]
    expect(of(...entries)).deep.equal([])
  })

  it('wants a URL or a place to look, and not both', () => {
    expect(of('{ engine: vllm }')).deep.equal(['0.url: is required, or discover'])
    expect(of('{ discover: dns, name: a, url: http://x/v1 }')).deep.equal(['0.url: cannot be combined with discover'])
    expect(of('{ discover: dns }')).deep.equal(["0: discover: dns needs 'name'"])
    expect(of('{ discover: file, port: 1 }')).deep.equal(["0: discover: file needs 'path'"])
    expect(of('{ discover: consul, name: a }')).deep.equal(["0.discover: must be 'dns' or 'file'"])
  })

  it('refuses members without a meaning', () => {
    expect(of('{ url: http://x/v1, port: 8000, name: a }')).deep.equal([
      '0.port: needs discover',
      '0.name: needs discover',
    ])
    expect(of('{ discover: file, path: t, name: a }')).deep.equal(['0.name: has no meaning with discover: file'])
    expect(of('{ discover: dns, name: a, path: t }')).deep.equal(['0.path: has no meaning with discover: dns'])
    expect(of('{ discover: dns, name: a, type: SRV, port: 1 }')).deep.equal([
      '0.port: has no meaning with type: SRV, whose records have ports',
    ])
  })

  it('refuses servers that are no addresses, and names that no DNS has', () => {
    for (const server of ['dns.test', '10.0.0.1:0', '10.0.0.1:70000', '::1:53:x', '10.0.0.1:'])
      expect(of(`{ discover: dns, name: a, servers: ['${server}'] }`), server).lengthOf(1)
    expect(of("{ discover: dns, name: 'a b' }")).deep.equal(['0.name: must be a DNS name'])
    expect(of('{ discover: dns, name: a, base_path: v1 }')).deep.equal(['0.base_path: must be a path such as /v1'])
  })
})
