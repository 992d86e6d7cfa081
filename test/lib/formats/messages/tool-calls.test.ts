import { expect } from 'chai'
import fc from 'fast-check'
import { type JsonObject, parseText } from '../../../../lib/base/json.ts'
import type { ToolCallDelta } from '../../../../lib/canonical/reply.ts'
import { ToolCalls, toolInput, toolInputText } from '../../../../lib/formats/messages/tool-calls.ts'

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
  it('are assembled from fragments in any order', () => {
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

  it('keep the ids of the model, and get one if it is missing', () => {
    expect(held(piece(0, 'functions.f:0', 'f', ''), piece(1, undefined, 'g', '')).map(call => call.id)).deep.equal([
      'functions.f:0',
      'toolu_f00d1',
    ])
  })

  it('are copies of the fragments', () => {
    const fragment = piece(0, 'a', 'f', '1')
    held(fragment, piece(0, undefined, undefined, '2'))
    expect(fragment.arguments).equal('1')
  })
})

describe('Messages tool input', () => {
  const cases: readonly (readonly [string, string, JsonObject])[] = [
    ['nothing', '', {}],
    ['an object', '{"a": [1, {"b": "}"}]}', { a: [1, { b: '}' }] }],
    ['a brace too many', '{"a":{"b":1}}}', { a: { b: 1 } }],
    ['text behind the object', '{"a":1} </tool_call>', { a: 1 }],
    ['a cut string', '{"path":"a.txt","text":"half of', { path: 'a.txt' }],
    ['a cut name', '{"a":1,"b', { a: 1 }],
    ['a cut member that is nested', '{"a":1,"b":{"c":1,"d', { a: 1 }],
    ['the first member cut', '{"text":"half, of', {}],
    ['a quote and commas inside a string', String.raw`{"a":"x\",\"y","b":tr`, { a: 'x","y' }],
    ['a cut string with a comma', '{"a":1,"text":"half, of', { a: 1 }],
    ['a cut string with a comma behind a quote', String.raw`{"a":1,"text":"half\", of`, { a: 1 }],
    ['a brace inside a string', '{"a":"}","b":1,"c', { a: '}', b: 1 }],
    ['a comma at the end', '{"a":1,', { a: 1 }],
    ['a list', '[1,2]', {}],
    ['a string', '"text"', {}],
    ['null', 'null', {}],
    ['no JSON at all', 'city=Paris', {}],
    ['closing braces first', '}}{"a":1', {}],
  ]
  for (const [name, text, input] of cases) {
    it(`of ${name} is ${JSON.stringify(input)}`, () => {
      expect(toolInput(text)).deep.equal(input)
      expect(JSON.parse(toolInputText(text))).deep.equal(input)
    })
  }

  it('stays byte for byte as the model wrote it if that is an object', () => {
    const text = '{ "a" : 1.0, "é": "\\u00e9" }'
    expect(toolInputText(text)).equal(text)
  })

  it('has numbers and members as the model wrote them, whole or truncated', () => {
    const text = '{"10":2512292042121000001,"2":105.0'
    for (const end of ['}', ',"c":[1', ',"c']) {
      expect(JSON.stringify(toolInput(text + end))).equal(`${text}}`)
      expect(toolInputText(text + end)).equal(`${text}}`)
    }
  })

  it('keeps only complete members of any object, wherever it is truncated', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
    fc.assert(
      fc.property(members, fc.nat(), (object, at) => {
        const whole = parseText(JSON.stringify(object)) as JsonObject
        const text = JSON.stringify(object)
        const input = toolInput(text.slice(0, at % text.length))
        for (const [name, value] of Object.entries(input)) expect(value).deep.equal(whole[name])
      }),
    )
  })
})
