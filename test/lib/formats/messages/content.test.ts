import { expect } from 'chai'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { contentOf, inside, readPart, refuseBlock } from '../../../../lib/formats/messages/content.ts'
import type { Block } from '../../../../lib/formats/messages/generated/body.ts'

const place = { path: 'messages.0.content.0', model: 'm' }

describe('Messages content', () => {
  it('accepts images as data, by URL and by file', () => {
    const sources: readonly (readonly [Extract<Block, { type: 'image' }>['source'], object])[] = [
      [{ type: 'base64', media_type: 'image/png', data: 'AAAA' }, { url: 'data:image/png;base64,AAAA' }],
      [{ type: 'url', url: 'https://example.com/a.png' }, { url: 'https://example.com/a.png' }],
      [
        { type: 'file', file_id: 'file-1' },
        { url: '', fileId: 'file-1' },
      ],
    ]
    for (const [source, members] of sources) {
      expect(readPart({ type: 'image', source }, place, 'user')).deep.equal({
        type: 'image',
        ...members,
        origin: 'messages.0.content.0',
      })
    }
  })

  it('is one text unless there is an image', () => {
    expect(contentOf([])).equal('')
    expect(contentOf([{ type: 'text', text: 'a' }])).equal('a')
    const parts = [{ type: 'text', text: 'a' } as const, { type: 'image', url: 'data:' } as const]
    expect(contentOf(parts)).equal(parts)
  })

  it('records the path of its blocks', () => {
    expect(inside({ path: 'messages.3', model: 'm' }, 2)).deep.equal({ path: 'messages.3.content.2', model: 'm' })
  })

  it('refuses documents as a feature', () => {
    expect(() => refuseBlock({ type: 'document' }, place, 'user'))
      .throw(GatewayError, "Model 'm' does not support 'document' blocks.")
      .deep.include({
        code: 'unsupported_feature',
        status: 400,
        details: { param: 'messages.0.content.0.type', ownParam: true },
      })
  })

  it('names the types that are allowed', () => {
    const unknown = { type: 'server_tool_use' } as unknown as Block
    expect(() => refuseBlock(unknown, place, 'system')).throw(
      "'messages.0.content.0.type' must be 'text' in a message of role 'system'.",
    )
    expect(() => refuseBlock(unknown, place, 'tool_result')).throw(
      "must be 'text', 'image' or 'tool_reference' in a tool result.",
    )
  })
})
