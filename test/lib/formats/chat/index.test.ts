import { expect } from 'chai'
import { chat } from '../../../../lib/formats/chat/index.ts'
import { playReply } from '../../../support/backend-wire.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { contextOf } from '../../../support/encoders.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

describe('the chat format', () => {
  goldenStreams(chat, { request: { model: 'model-1', messages: [{ role: 'user', content: 'Hi' }] } })
  goldenRequests(chat, { body: 'chat-completions' })

  it('writes [DONE] only after a finish reason, wherever the backend breaks off', () => {
    const request = chatRequest({ stream: true })
    const events = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      { choices: [{ index: 0, delta: { content: 'Hm – é' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
    ]
    const bytes = Buffer.from(`${events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`)
    let whole = 0
    for (let end = 0; end <= bytes.length; end++) {
      const written: string[] = []
      const sink = chat.encoder(contextOf(request), (_event, data) => written.push(data))
      playReply(sink, { request, bytes: bytes.subarray(0, end), json: false, slice: 64 })
      const last = written.at(-1) ?? ''
      if (last === '[DONE]') {
        whole++
        expect(written.join()).include('"finish_reason":"stop"')
      } else {
        expect(JSON.parse(last)).property('error')
      }
    }
    // Clean ends: after the finish chunk, after usage, after [DONE].
    expect(whole).equal(3)
  })
})
