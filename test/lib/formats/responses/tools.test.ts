import { expect } from 'chai'
import type { FunctionTool } from '../../../../lib/canonical/request.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { Tool } from '../../../../lib/formats/responses/generated/body.ts'
import { readTools, ToolNames } from '../../../../lib/formats/responses/tools.ts'

const read = (tools: object[], unknown: 'reject' | 'drop' = 'reject'): FunctionTool[] =>
  readTools({ model: 'model-1', input: 'Hi', tools: tools as Tool[] }, unknown)
const named = (name: string) => ({ type: 'function', name, parameters: { type: 'object', properties: {} } })

function refusal(...tools: object[]): GatewayError {
  try {
    read(tools)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown
    throw thrown
  }
  throw new Error('was not refused')
}

describe('readTools', () => {
  it('keeps functions unchanged', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } }
    expect(read([{ type: 'function', name: 'f', description: 'd', parameters, strict: true }])).deep.equal([
      { name: 'f', description: 'd', parameters, strict: true },
    ])
  })

  it('treats null as absent', () => {
    expect(read([{ type: 'function', name: 'f', description: null, parameters: null, strict: null }])).deep.equal([
      { name: 'f', description: undefined, parameters: undefined, strict: undefined },
    ])
  })

  it('converts web_search to a function with a fixed schema', () => {
    const [first, second] = read([{ type: 'web_search', external_web_access: false }, { type: 'web_search' }])
    expect(first).deep.include({ name: 'web_search', origin: 'tools.0' })
    expect(first?.parameters).nested.property('properties.query.type', 'string')
    expect(first?.parameters, 'rules change schemas in place').not.equal(second?.parameters)
  })

  it('flattens the functions of a namespace and remembers their namespaces', () => {
    const tools = read([{ type: 'namespace', name: 'agents', tools: [named('start'), named('stop')] }, named('f')])
    expect(tools.map(({ name, namespace, origin }) => [name, namespace, origin])).deep.equal([
      ['start', { group: 'agents', member: 'start' }, 'tools.0.tools.0'],
      ['stop', { group: 'agents', member: 'stop' }, 'tools.0.tools.1'],
      ['f', undefined, 'tools.1'],
    ])
  })

  describe('functions with one name in different namespaces', () => {
    const space = (name: string, ...tools: object[]) => ({ type: 'namespace', name, tools })
    const tools = read([space('wiki', named('search'), named('open')), space('mail', named('search')), named('search')])

    it('are distinguished by the name of their namespace', () => {
      expect(tools.map(tool => tool.name)).deep.equal(['wiki__search', 'open', 'mail__search', 'search'])
    })

    it('are found by both names in calls of earlier turns', () => {
      const names = new ToolNames(tools)
      const call = (name: string, namespace?: string | null) => ({
        type: 'function_call' as const,
        call_id: 'c',
        arguments: '{}',
        name,
        ...(namespace !== undefined && { namespace }),
      })
      expect(names.of(call('search', 'wiki'))).equal('wiki__search')
      expect(names.of(call('open', 'wiki'))).equal('open')
      expect(names.of(call('search'))).equal('search')
      expect(names.of(call('search', null))).equal('search')
      expect(names.of(call('gone', 'wiki'))).equal('gone')
    })

    it('are accepted if they share a namespace or have none: the tools rule refuses them', () => {
      expect(read([named('a'), named('a')]).map(tool => tool.name)).deep.equal(['a', 'a'])
      expect(read([space('n', named('a'), named('a'))]).map(tool => tool.name)).deep.equal(['n__a', 'n__a'])
    })
  })

  for (const type of [
    'file_search',
    'code_interpreter',
    'computer_use_preview',
    'image_generation',
    'mcp',
    'custom',
    'local_shell',
  ]) {
    it(`refuses ${type}`, () => {
      const error = refusal(named('f'), { type })
      expect(error).include({ code: 'invalid_tool', status: 400 })
      expect(error.details).include({ param: 'tools.1.type', ownParam: true })
      expect(error.message).include(`'${type}'`)
    })
  }

  it('refuses a type inside a namespace with its path', () => {
    const error = refusal({ type: 'namespace', name: 'n', tools: [named('f'), { type: 'custom', name: 'c' }] })
    expect(error.code).equal('invalid_tool')
    expect(error.details.param).equal('tools.0.tools.1.type')
  })

  it('drops unknown types if configured', () => {
    const tools = read(
      [{ type: 'mcp' }, { type: 'namespace', name: 'n', tools: [{ type: 'custom' }, named('f')] }],
      'drop',
    )
    expect(tools.map(({ name, origin }) => [name, origin])).deep.equal([['f', 'tools.1.tools.1']])
  })
})
