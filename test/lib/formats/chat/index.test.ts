import { chat } from '../../../../lib/formats/chat/index.ts'
import { goldenRequests, goldenStreams } from '../../../support/golden.ts'

describe('the chat format', () => {
  goldenStreams(chat, { request: { model: 'model-1', messages: [{ role: 'user', content: 'Hi' }] } })
  goldenRequests(chat, { body: 'chat-completions' })
})
