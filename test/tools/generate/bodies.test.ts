import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { bodySchema } from '../../../tools/generate/bodies.ts'

/** Members of a schema that was made for the types. */
function membersOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return schema.properties as Readonly<Record<string, JsonObject>>
}

describe('bodySchema', () => {
  const chat = bodySchema('bodies/chat-completions.json', {
    'shared/message.json': 'BodyMessage',
    'shared/tool.json': { name: 'Tool', variants: true },
  })
  const definitions = chat.definitions as Readonly<Record<string, JsonObject>>

  it('lets optional members be null, and leaves out what has no effect or is refused', () => {
    expect(membersOf(chat).n).deep.equal({ anyOf: [{ type: 'integer' }, { type: 'null' }] })
    expect(membersOf(chat).model).include({ type: 'string' })
    expect(Object.keys(membersOf(chat))).not.include.members(['user', 'functions'])
    expect(chat.required).deep.equal(['model', 'messages'])
  })

  it('names the given schemas, once', () => {
    expect(membersOf(chat).messages).deep.include({ type: 'array' })
    expect(Object.keys(definitions)).deep.equal(['BodyMessage', 'Tool', 'FunctionTool', 'CustomTool'])
  })

  it('makes a union of conditions, with the values of examples for what they leave over', () => {
    expect(definitions.Tool!.anyOf).deep.equal([
      { $ref: '#/definitions/FunctionTool' },
      { $ref: '#/definitions/CustomTool' },
    ])
    expect(membersOf(definitions.CustomTool!)).deep.equal({ type: { enum: ['custom'] } })
    expect(definitions.FunctionTool).deep.include({ required: ['type', 'function'] })
  })

  it('puts a schema together with the one it refers to', () => {
    // A block may hold blocks, which only a name can express.
    const names = { 'shared/messages-request.json#/$defs/block': 'Block' }
    const messages = bodySchema('bodies/messages.json', names)
    expect(messages.required).deep.equal(['model', 'messages', 'max_tokens'])
    expect(bodySchema('bodies/messages.json', names, ['max_tokens']).required).deep.equal(['model', 'messages'])
  })

  it('adds null where a schema accepts what is no object', () => {
    const responses = bodySchema('bodies/responses.json', { 'bodies/responses.json#/$defs/item': 'Item' })
    const { Item } = responses.definitions as Readonly<Record<string, JsonObject>>
    expect(Item!.anyOf).deep.include({ type: 'null' })
  })
})
