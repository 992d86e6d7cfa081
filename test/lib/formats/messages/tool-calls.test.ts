import { expect } from 'chai'
import type { ToolCallDelta } from '../../../../lib/canonical/reply.ts'
import { ToolCalls } from '../../../../lib/formats/messages/tool-calls.ts'

const piece = (index: number, id: string | undefined, name: string | undefined, text: string): ToolCallDelta => ({
  index,
  id,
  name,
  arguments: text,
})

function held(...pieces: readonly ToolCallDelta[]) {
  const calls = new ToolCalls('f00d')
  for (const each of pieces) calls.add([each])
  return calls.all()
}

describe('Messages tool calls', () => {
  it('are put together from fragments of any order', () => {
    expect(
      held(
        piece(0, 'a', 'f', '{"x"'),
        piece(1, 'b', 'g', '{'),
        piece(0, undefined, undefined, ':1}'),
        piece(1, 'b', 'g', '}'),
      ),
    ).deep.equal([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ])
  })

  it('that all have index 0 are distinguished by their ids', () => {
    expect(held(piece(0, 'a', 'f', '1'), piece(0, 'b', 'f', '2'), piece(0, undefined, undefined, '3'))).deep.equal([
      { id: 'a', name: 'f', arguments: '1' },
      { id: 'b', name: 'f', arguments: '23' },
    ])
  })

  it('keep the ids of the model, and are given one where there is none', () => {
    expect(held(piece(0, 'functions.f:0', 'f', ''), piece(1, undefined, 'g', '')).map(call => call.id)).deep.equal([
      'functions.f:0',
      'toolu_f00d1',
    ])
  })

  it('are not changed by what is added later', () => {
    const fragment = piece(0, 'a', 'f', '1')
    held(fragment, piece(0, undefined, undefined, '2'))
    expect(fragment.arguments).equal('1')
  })
})
