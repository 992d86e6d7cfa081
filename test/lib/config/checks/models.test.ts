import { expect } from 'chai'
import { problemsOf } from '../../../support/config.ts'

const BACKEND = 'backends: [{ url: http://x/v1 }]'

/** Problems of a model with these members, below `models.0.`. */
function ofModel(members: string, backends = BACKEND): string[] {
  return problemsOf(`models: [{ id: m, ${members} ${backends} }]`).map(problem => problem.replace(/^models\.0\./, ''))
}

function ofBackends(...backends: string[]): string[] {
  return ofModel('', `backends: [${backends.join(', ')}]`).map(problem => problem.replace(/^backends\./, ''))
}

describe('checks on backends of a model', () => {
  it('refuses one that is there twice, but not two behind one proxy', () => {
    expect(ofBackends('{ url: http://x/v1 }', '{ url: http://y/v1 }', '{ url: http://x/v1/, model: m }')).deep.equal([
      '2: is the same backend as models.0.backends.0: give one of them a higher weight',
    ])
    for (const other of ['model: n', 'api_key: k', 'headers: { x-shard: b }'])
      expect(ofBackends('{ url: http://x/v1 }', `{ url: http://x/v1, ${other} }`), other).deep.equal([])
  })
})

describe('checks on names of models', () => {
  it('refuses a name that is taken, be it an id or an alias', () => {
    const text = `models:
  - { id: a, aliases: [b], ${BACKEND} }
  - { id: b, aliases: [c, a], ${BACKEND} }
  - { id: a, ${BACKEND} }`
    expect(problemsOf(text)).deep.equal([
      "models.1.id: 'b' is in use as models.0.aliases.0",
      "models.1.aliases.1: 'a' is in use as models.0.id",
      "models.2.id: 'a' is in use as models.0.id",
    ])
  })

  it('refuses endpoints that name unknown models', () => {
    const text = `models: [{ id: qwen3, aliases: [q], ${BACKEND} }]
endpoints: [{ host: e.test, models: [qwen3, q, qwen2] }]`
    expect(problemsOf(text)).deep.equal(["endpoints.0.models.2: there is no model 'qwen2': did you mean 'qwen3'?"])
  })

  it('refuses a name that could be taken for a wildcard or would break a line', () => {
    for (const id of ['*', '-x', 'a b', 'a\\nb', '']) {
      expect(problemsOf(`models: [{ id: "${id}", ${BACKEND} }]`), id).lengthOf(1)
    }
    for (const id of ['org/Model-3.5:free@x+y', '/models/qwen.gguf', './q', '_q', '3b']) {
      expect(problemsOf(`models: [{ id: '${id}', ${BACKEND} }]`), id).deep.equal([])
    }
  })
})

describe('checks on backends', () => {
  it('refuses a model without any', () => {
    expect(ofModel('', 'backends: []')).deep.equal(['backends: must be an array that is not empty'])
  })

  it('reads the URL', () => {
    expect(ofBackends('{ url: ftp://x }')).deep.equal(['0.url: must start with http:// or https://'])
    expect(ofBackends("{ url: 'http://' }")).deep.equal(['0.url: must be a URL such as http://127.0.0.1:8000/v1'])
    expect(ofBackends('{ url: http://u:p@x/v1 }')).deep.equal([
      '0.url: must not contain a user or password: use api_key',
    ])
    expect(ofBackends("{ url: 'http://x/v1?a=b' }")).deep.equal(['0.url: must end with its path, without ? and #'])
    expect(ofBackends("{ url: 'http://x/v1#a' }")).deep.equal(['0.url: must end with its path, without ? and #'])
  })

  it('leaves headers that frame a message to the gateway', () => {
    expect(ofBackends('{ url: http://x/v1, headers: { X-A: b, Content-Length: "1" } }')).deep.equal([
      '0.headers.Content-Length: is set by the gateway and cannot be changed',
    ])
    expect(ofBackends('{ url: http://x/v1, headers: { a b: c } }')).deep.equal([
      '0.headers.a b: is not a valid name of a header',
    ])
    expect(ofBackends('{ url: http://x/v1, headers: { a: "b\\r\\nc: d" } }')).deep.equal([
      '0.headers.a: must be printable ASCII on one line',
    ])
  })

  it('refuses two ways of sending a credential', () => {
    expect(ofBackends('{ url: http://x/v1, api_key: a, headers: { Authorization: b } }')).deep.equal([
      '0.headers.Authorization: is the header that api_key sets: give one of them',
    ])
    expect(ofBackends('{ url: http://x/v1, headers: { Authorization: b } }')).deep.equal([])
  })
})

describe('checks on capabilities', () => {
  it('refuses a default effort that an always-reasoning model cannot have', () => {
    expect(ofModel('capabilities: { reasoning: always, reasoning_effort: { default: none } },')).deep.equal([
      "capabilities.reasoning_effort.default: cannot be 'none' for a model that always reasons",
    ])
  })

  it('accepts flags without effect, as in a block that was copied from another model', () => {
    const members =
      'sampling: fixed, capabilities: { chat_completions: { n: true, tools: true, preserve_thinking: true }, zdr: { regex: true } },'
    expect(ofModel(members, 'backends: [{ url: http://x/v1, engine: vllm }]')).deep.equal([])
  })

  it('accepts what is consistent', () => {
    const members = `capabilities: { vision: true, tools: true, reasoning: true, reasoning_effort: { default: medium },
      chat_completions: { n: true, tools: true, streaming_tools: true, preserve_thinking: true },
      messages: { vision: false }, responses: { reasoning: true }, zdr: { n: false } },`
    expect(ofModel(members, 'backends: [{ url: http://x/v1, zdr: true }]')).deep.equal([])
  })
})

describe('checks on constrained decoding', () => {
  const broken = (name: string): string =>
    `: this server cannot do ${name}, which the capabilities of the model promise: see engine and profile.structured`

  it('refuses a capability that the engine would ignore', () => {
    const promise = 'capabilities: { chat_completions: { regex: true, grammar: true } },'
    const on = (engine: string) => ofModel(promise, `backends: [{ url: http://x/v1, engine: ${engine} }]`)
    expect(on('vllm')).deep.equal([])
    expect(on('sglang')).deep.equal([])
    expect(on('llama.cpp')).deep.equal([`backends.0${broken('regex')}`])
    expect(on('openai')).deep.equal([])
  })

  it('looks at the profile of the file first', () => {
    const promise = 'capabilities: { chat_completions: { regex: true } },'
    const backend = '{ url: http://x/v1, engine: llama.cpp, profile: { structured: structured_outputs } }'
    expect(ofModel(promise, `backends: [${backend}]`)).deep.equal([])
  })

  it('checks a capability of the ZDR partition against its backends alone', () => {
    const promise = 'capabilities: { zdr: { regex: true } },'
    const backends = 'backends: [{ url: http://x/v1 }, { url: http://y/v1, engine: vllm, zdr: true }]'
    expect(ofModel(promise, backends)).deep.equal([])
    expect(ofModel(promise, 'backends: [{ url: http://x/v1, engine: llama.cpp, zdr: true }]')).deep.equal([
      `backends.0${broken('regex')}`,
    ])
  })
})

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
    expect(of('{ engine: vllm }')).deep.equal(['0.url: is required, unless the entry has discover'])
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
