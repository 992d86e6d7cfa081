import { expect } from 'chai'
import type { ImagePart, Message } from '../../../lib/canonical/request.ts'
import { hasImages, imageParts } from '../../../lib/core/image-parts.ts'
import { lazyRequest } from '../../support/bodies.ts'
import { chatRequest } from '../../support/canonical.ts'

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
  it('are found in small and large conversations', () => {
    const text = 'x'.repeat(10_000)
    const image: ImagePart = { type: 'image', url: `data:image/png;base64,${'A'.repeat(20_000)}` }
    const withImage = chatRequest({ messages: [{ role: 'user', content: [{ type: 'text', text }, image] }] })
    const without = chatRequest({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: null },
      ],
    })
    expect([hasImages(withImage), hasImages(lazyRequest(withImage))]).deep.equal([true, true])
    expect([hasImages(without), hasImages(lazyRequest(without))]).deep.equal([false, false])
  })
})
