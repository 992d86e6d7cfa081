import { expect } from 'chai'
import type { BackendConfig } from '../../../lib/config/config.ts'
import { bodyValidator, type ChatRequest, type Message } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import { estimateTokens } from '../../../plugins/models/count-tokens/estimate.ts'
import countTokens from '../../../plugins/models/count-tokens/index.ts'
import { promptOf } from '../../../plugins/models/count-tokens/prompt.ts'
import { chat, key, target } from '../../../plugins/slots.ts'
import { type Script, type ScriptedBackend, scriptedBackend, status } from '../../support/backend.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model, targetOf, tool } from '../../support/canonical.ts'
import { expectQuick } from '../../support/cost.ts'
import { keyOf } from '../../support/key.ts'

const HEADER = 'x-service-input-tokens-estimated'
const IMAGE = { type: 'image', url: 'data:image/png;base64,AAAA' } as const

const user = (content: Extract<Message, { role: 'user' }>['content']): Message => ({ role: 'user', content })
const estimateOf = async (request: ChatRequest) => estimateTokens(await promptOf(request))
const saying = (text: string) => chatRequest({ messages: [user(text)] })

describe('count-tokens', () => {
  let server: ScriptedBackend | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  async function played(request: ChatRequest, script: Script, config: Partial<BackendConfig> = {}) {
    server = await scriptedBackend(script)
    const backends = [backendConfig({ url: server.url, ...config })]
    const given = [
      [chat, request],
      [target, targetOf(model({}, { backends }))],
      [key, keyOf()],
    ] as const
    return play(countTokens, { given, route: 'count-tokens' })
  }

  it('collects the texts of all messages, and counts pieces and images', () => {
    const messages = [user([{ type: 'text', text: 'a' }, IMAGE, { type: 'text', text: 'b' }]), user('c')]
    expect(promptOf(chatRequest({ messages }))).deep.include({ texts: ['a', 'b', 'c'], pieces: 2, images: 1 })
  })

  it('refuses references to files if the request would be refused', async () => {
    const content = [{ type: 'image', url: '', fileId: 'file-1' } as const]
    const request = chatRequest({ messages: [user(content)] })
    const playing = (caller = keyOf(), zdr = false) => {
      const where = { ...targetOf(model({ vision: true })), zdr }
      const given = [
        [chat, request],
        [target, where],
        [key, caller],
      ] as const
      return play(countTokens, { given, route: 'count-tokens' })
    }
    const param = 'messages.0.content.0'
    expect((await playing(keyOf(), true)).error).deep.include({
      code: 'file_id_not_allowed_with_zdr',
      details: { param },
    })
    const legacy = await playing(keyOf({}, { user: undefined }))
    expect(legacy.error).deep.include({ code: 'files_require_user_key', details: { param } })
    expect((await playing()).reply?.status).equal(200)
  })

  it("answers with the backend's count", async () => {
    const { reply, headers } = await played(chatRequest(), status(200, { count: 42 }))
    expect(reply).deep.include({ status: 200, body: { input_tokens: 42 } })
    expect(headers).not.property(HEADER)
  })

  it('answers with an estimate, and marks it, if the backend cannot count', async () => {
    const { reply, headers } = await played(saying('Hello, how are you?'), status(404, {}))
    expect(reply).deep.include({ status: 200, body: { input_tokens: 10 } })
    expect(headers).property(HEADER, 'true')
  })

  it('counts the text on the backend and estimates the images', async () => {
    const request = chatRequest({ messages: [user([{ type: 'text', text: 'Look' }, IMAGE]), user([IMAGE])] })
    const { reply, headers } = await played(request, status(200, { count: 42 }))
    expect(reply).deep.include({ body: { input_tokens: 2042 } })
    expect(headers).property(HEADER, 'true')
    expect(server?.requests[0]?.body).deep.include({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }] },
        { role: 'user', content: '' },
      ],
    })
  })

  it('never fetches an image', async () => {
    const image = { type: 'image', url: 'https://example.com/a.png' } as const
    const { error } = await played(chatRequest({ messages: [user([image])] }), status(200, { count: 1 }))
    expect(error).equal(undefined)
  })

  it('accepts a body with and without max_tokens', () => {
    const validate = bodyValidator('count-tokens')
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    validate(body)
    validate({ ...body, max_tokens: 1 })
    expect(() => validate({ ...body, prompt: 'Hi' })).throw("Parameter 'prompt' is not supported.")
  })

  describe('estimate', () => {
    it('is close for text, code and other scripts', async () => {
      const words = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
      expect(await estimateOf(saying(words))).within(1900, 2100)
      const chinese = '近年来，大型语言模型在自然语言处理领域取得了显著的进展。'.repeat(100)
      expect(await estimateOf(saying(chinese))).within(1000, 3000)
    })

    it('counts system text, calls, results and tools', async () => {
      const plain = await estimateOf(saying('Hello'))
      const full = await estimateOf(
        chatRequest({
          messages: [
            { role: 'system', content: 'Be brief.' },
            user('Hello'),
            { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'look_up', arguments: '{"x":1}' }] },
            { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'Found it.' }, IMAGE] },
          ],
          tools: [tool({ description: 'Looks something up.' })],
        }),
      )
      expect(full - plain).within(40, 80)
    })

    it('counts the text of a special token as text', async () => {
      expect(await estimateOf(saying('<|endoftext|>'))).greaterThan(8)
    })

    it('samples a long prompt, within a hundredth of the whole', async () => {
      const sentence = 'The quick brown fox jumps over the lazy dog. '
      const whole = await estimateOf(saying(sentence.repeat(2500)))
      const long = await estimateOf(saying(sentence.repeat(25_000)))
      expect(long / whole).within(9.9, 10.1)
    })

    it('never blocks the event loop for long, whatever the text', async () => {
      await estimateOf(saying('load the tokenizer first'))
      const random = Array.from({ length: 100_000 }, (_, i) =>
        String.fromCharCode(0x4e00 + ((i * 7919 + i * i) % 20_000)),
      )
      const said = saying(random.join(''))
      await expectQuick(() => estimateOf(said), { longest: 30 }, 'a long text')
    })
  })
})
