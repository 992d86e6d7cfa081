import { expect } from 'chai'
import type { ImagePart, Message } from '../../../lib/canonical/request.ts'
import { imageParts } from '../../../lib/core/image-parts.ts'

describe('image parts', () => {
  it('come with the path at which the client sent them', () => {
    const image: ImagePart = { type: 'image', url: 'https://example.com/a.png' }
    const placed: ImagePart = { ...image, origin: 'messages.0.content.3.source' }
    const messages: Message[] = [
      { role: 'system', content: 'a' },
      { role: 'user', content: [{ type: 'text', text: 'a' }, image, placed] },
      { role: 'assistant', content: null },
      { role: 'tool', toolCallId: 'a', content: [image], origin: 'messages.7.content.0' },
    ]
    expect([...imageParts(messages)]).deep.equal([
      { part: image, param: 'messages.1.content.1' },
      { part: placed, param: 'messages.0.content.3.source' },
      { part: image, param: 'messages.7.content.0.content.0' },
    ])
  })
})
