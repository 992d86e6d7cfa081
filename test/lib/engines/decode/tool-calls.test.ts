import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../lib/base/json.ts'
import type { ToolCallDelta } from '../../../../lib/canonical/reply.ts'
import { ToolCalls } from '../../../../lib/engines/decode/tool-calls.ts'

interface Piece {
  index?: number | undefined
  id?: string | null
  name?: string
  arguments?: Json
}

function fragment({ index, id, name, arguments: json }: Piece): JsonObject {
  return { index, id, type: 'function', function: { name, arguments: json } }
}

/** Each argument is one chunk's list of fragments. */
function read(...chunks: readonly (readonly Piece[])[]): ToolCallDelta[] {
  const calls = new ToolCalls()
  const deltas = chunks.flatMap(pieces => calls.read(pieces.map(fragment)) ?? [])
  return [...deltas, ...(calls.rest() ?? [])]
}

/** The calls as a client assembles them. */
function gathered(deltas: readonly ToolCallDelta[]): { id: string; name: string; arguments: string }[] {
  const calls: { id: string; name: string; arguments: string }[] = []
  for (const { index, id, name, arguments: piece } of deltas) {
    const call = calls[index]
    if (call === undefined) {
      expect(id, 'the first delta has an id').a('string')
      expect(index, 'indexes count up').equal(calls.length)
      calls.push({ id: id ?? '', name: name ?? '', arguments: piece })
    } else {
      expect(id, 'later deltas have no id').equal(undefined)
      expect(name, 'later deltas have no name').equal(undefined)
      call.arguments += piece
    }
  }
  return calls
}

const A = { id: 'a', name: 'get', arguments: '{"x":1}' }
const B = { id: 'b', name: 'put', arguments: '{}' }

describe('tool calls of a stream', () => {
  it('are passed on in pieces', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '' }],
      [{ index: 0, arguments: '{"x"' }],
      [{ index: 0, arguments: ':1}' }],
    )
    expect(deltas).deep.equal([
      { index: 0, id: 'a', name: 'get', arguments: '{"x"' },
      { index: 0, id: undefined, name: undefined, arguments: ':1}' },
    ])
  })

  it('may be interleaved by index', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '{"x"' }],
      [
        { index: 1, id: 'b', name: 'put', arguments: '{' },
        { index: 0, arguments: ':1}' },
      ],
      [{ index: 1, arguments: '}' }],
    )
    expect(gathered(deltas)).deep.equal([A, B])
  })

  it('may all have index 0 and differ by id', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '{"x"' }],
      [{ index: 0, arguments: ':1}' }],
      [{ index: 0, id: 'b', name: 'put', arguments: '{' }],
      [{ index: 0, arguments: '}' }],
    )
    expect(gathered(deltas)).deep.equal([A, B])
  })

  it('may be interleaved at one index by id', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '{"x"' }],
      [{ index: 0, id: 'b', name: 'put', arguments: '{' }],
      [{ index: 0, id: 'a', arguments: ':1}' }],
      [{ index: 0, id: 'b', arguments: '}' }],
    )
    expect(gathered(deltas)).deep.equal([A, B])
  })

  it('may come without an index', () => {
    const deltas = read(
      [{ id: 'a', name: 'get', arguments: '{"x"' }],
      [{ arguments: ':1}' }],
      [{ id: 'b', name: 'put', arguments: '{}' }],
    )
    expect(gathered(deltas)).deep.equal([A, B])
  })

  it('may repeat id and name with every fragment', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '' }],
      [{ index: 0, id: 'a', name: 'get', arguments: '{"x"' }],
      [{ index: 0, id: 'a', name: 'get', arguments: ':1}' }],
    )
    expect(gathered(deltas)).deep.equal([A])
  })

  it('may have a name in pieces', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'g' }],
      [{ index: 0, name: 'e' }],
      [{ index: 0, name: 't', arguments: '{"x":1}' }],
    )
    expect(gathered(deltas)).deep.equal([A])
  })

  it('may receive their id late', () => {
    expect(gathered(read([{ index: 0, name: 'get' }], [{ index: 0, id: 'a', arguments: '{"x":1}' }]))).deep.equal([A])
  })

  it('get one id for the whole call if the backend sends none', () => {
    const [call, ...others] = gathered(
      read([{ index: 0, id: null, name: 'get', arguments: '{' }], [{ index: 0, id: '', arguments: '}' }]),
    )
    expect(others).deep.equal([])
    expect(call?.id).match(/^call_[0-9a-f]{24}$/)
    expect(call?.arguments).equal('{}')
  })

  it('are distinguished by name without ids', () => {
    const calls = gathered(
      read([{ index: 0, name: 'get', arguments: '{}' }], [{ index: 0, name: 'put', arguments: '{}' }]),
    )
    expect(calls.map(({ name }) => name)).deep.equal(['get', 'put'])
    expect(new Set(calls.map(({ id }) => id))).lengthOf(2)
  })

  it('with one id get unique ones: the first keeps it, the n-th gets an ending', () => {
    const ids = (...chunks: readonly (readonly Piece[])[]) => gathered(read(...chunks)).map(({ id }) => id)
    const call = (index: number, id: string, name = 'get') => [{ index, id, name, arguments: '{}' }]
    expect(ids(call(0, 'a'), call(1, 'a'), call(2, 'b'), call(3, 'a'))).deep.equal(['a', 'a_dup2', 'b', 'a_dup3'])
    expect(ids(call(0, 'a_dup2'), call(1, 'a'), call(2, 'a'), call(3, 'a_dup2'))).deep.equal([
      'a_dup2',
      'a',
      'a_dup3',
      'a_dup2_dup2',
    ])
  })

  it('with one id at one index are distinguished by name', () => {
    const deltas = read(
      [{ index: 0, id: 'a', name: 'get', arguments: '{"x"' }],
      [{ index: 0, id: 'a', arguments: ':1}' }],
      [{ index: 0, id: 'a', name: 'put', arguments: '{' }],
      [{ index: 0, id: 'a', arguments: '}' }],
    )
    expect(gathered(deltas)).deep.equal([A, { ...B, id: 'a_dup2' }])
  })

  it('may have no arguments at all', () => {
    expect(gathered(read([{ index: 0, id: 'a', name: 'get' }]))).deep.equal([{ ...A, arguments: '' }])
  })

  it('may have arguments as an object', () => {
    expect(gathered(read([{ index: 0, id: 'a', name: 'get', arguments: { x: 1 } }]))).deep.equal([A])
  })

  it('ignore empty fragments', () => {
    const calls = new ToolCalls()
    expect(calls.read([null, 1, 'x', []])).equal(undefined)
    expect(calls.rest()).equal(undefined)
    expect(calls.read([{ index: 0, id: 'a', function: null }])).equal(undefined)
    expect(calls.rest()).deep.equal([{ index: 0, id: 'a', name: '', arguments: '' }])
  })
})

describe('tool calls of a whole reply', () => {
  it('are one per entry, with any index', () => {
    const deltas = new ToolCalls().readWhole([fragment({ ...A, index: 0 }), fragment({ ...B, index: 0 })])
    expect(gathered(deltas)).deep.equal([A, B])
  })

  it('with one id get unique ones', () => {
    const deltas = new ToolCalls().readWhole([fragment(A), fragment(A), fragment(A)])
    expect(gathered(deltas).map(({ id }) => id)).deep.equal(['a', 'a_dup2', 'a_dup3'])
  })

  it('get ids if they are missing', () => {
    const [one, two] = new ToolCalls().readWhole([fragment({ name: 'f' }), fragment({ name: 'f' })])
    expect(one?.id)
      .match(/^call_/)
      .and.not.equal(two?.id)
  })
})
