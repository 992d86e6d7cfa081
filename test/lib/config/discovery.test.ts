import { expect } from 'chai'
import { backendOptions } from '../../../lib/config/config.ts'
import { sourceName } from '../../../lib/config/discovery.ts'
import { parseConfig } from '../../../lib/config/read.ts'

/** The one model with these backends, of a file in /etc/gateway. */
function modelOf(...backends: readonly string[]) {
  const text = `models: [{ id: m, backends: [${backends.join(', ')}] }]`
  return parseConfig(text, { baseDir: '/etc/gateway', env: {}, fileName: 'test.yaml' }).models[0]!
}

describe('discovery in the configuration', () => {
  it('has what each backend is like beside where to look', () => {
    const model = modelOf(
      '{ url: http://x/v1 }',
      '{ discover: dns, name: vllm.default.svc, port: 8000, engine: vllm, model: up, weight: 2, zdr: true, api_key: k }',
    )
    expect(model.backends.map(({ url }) => url)).deep.equal(['http://x/v1'])
    const [{ source, everySeconds, backend }] = model.discover as [(typeof model.discover)[number]]
    expect(source).deep.equal({
      discover: 'dns',
      name: 'vllm.default.svc',
      type: 'A',
      servers: undefined,
      scheme: 'http',
      basePath: '/v1',
      port: 8000,
    })
    expect(everySeconds).equal(5)
    expect(backend)
      .include({ model: 'up', engine: 'vllm', weight: 2, zdr: true, api_key: 'k' })
      .and.not.have.property('url')
    expect(backendOptions(model)).lengthOf(2)
  })

  it('starts relative paths at the file, and takes the port of the scheme where there is none', () => {
    const { discover } = modelOf(
      '{ discover: file, path: targets.yaml, every_seconds: 30, scheme: https, base_path: /llm/v1/ }',
      '{ discover: dns, name: x, type: SRV, servers: [10.0.0.10] }',
    )
    expect(discover[0]).deep.include({ everySeconds: 30 })
    expect(discover[0]!.source).deep.equal({
      discover: 'file',
      path: '/etc/gateway/targets.yaml',
      scheme: 'https',
      basePath: '/llm/v1',
      port: 443,
    })
    expect(discover.map(({ source }) => sourceName(source))).deep.equal(['file /etc/gateway/targets.yaml', 'dns SRV x'])
  })

  it('counts for the capabilities of the model', () => {
    expect(modelOf('{ discover: dns, name: x, engine: llama.cpp }').capabilities.chat_completions.echo).equal(false)
    expect(modelOf('{ discover: dns, name: x }').capabilities.chat_completions.echo).equal(true)
  })
})

describe('entries that discover models, in the configuration', () => {
  const sources = (...entries: readonly string[]) => {
    const text = `models: [${entries.map(entry => `{ ${entry} }`).join(', ')}]`
    return parseConfig(text, { baseDir: '/etc/gateway', env: {}, fileName: 'test.yaml' }).modelSources
  }

  it('have where to ask, and how', () => {
    const [one, several] = sources(
      'discover: { url: http://x/v1/ }, defaults: { backends: [{ api_key: k, headers: { X-Team: t } }] }',
      'discover: { dns: { name: a.svc, type: AAAA }, every_seconds: 5 }, allow: [a, "b*"]',
    )
    expect(one).deep.include({ name: 'http://x/v1', source: 'http://x/v1', everySeconds: 30, allow: ['*'] })
    expect(one!.backend).deep.include({ api_key: 'k', headers: { 'x-team': 't' } })
    expect(several).deep.include({ name: 'dns AAAA a.svc', everySeconds: 5, allow: ['a', 'b*'] })
    expect(several!.source).include({ name: 'a.svc', port: 80, basePath: '/v1' })
  })

  it('ask together if they reach the same servers in the same way', () => {
    const url = 'discover: { url: http://x/v1 }'
    const [one, other, withKey, elsewhere] = sources(
      url,
      `${url}, allow: [a], defaults: { owned_by: us }`,
      `${url}, defaults: { backends: [{ api_key: k }] }`,
      'discover: { url: http://y/v1 }',
    ).map(({ key }) => key)
    expect(one).equal(other)
    expect(new Set([one, withKey, elsewhere])).have.property('size', 3)
  })

  it('probe models of kind chat without given capabilities', () => {
    const url = 'discover: { url: http://x/v1 }'
    const probed = sources(
      url,
      `${url}, defaults: { kind: chat }`,
      `${url}, defaults: { kind: embedding }`,
      `${url}, defaults: { capabilities: {} }`,
    )
    expect(probed.map(({ isProbed }) => isProbed)).deep.equal([true, true, false, false])
  })
})
