import { expect } from 'chai'
import type { CanonicalRequest, FormatOptions, ImagePart, ModelConfig } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import capabilities, { checkCapabilities } from '../../../plugins/rules/capabilities/index.ts'
import { chat, target } from '../../../plugins/slots.ts'
import { backendWith } from '../../support/backend-config.ts'
import { chatRequest, model, modelWith, refusal, targetOf, textRequest, tool } from '../../support/canonical.ts'

const check = (request: CanonicalRequest, config: ModelConfig, format: 'chat' | 'messages' = 'chat', zdr = false) =>
  refusal(() => checkCapabilities(request, targetOf(config, zdr), format))

const unsupported = (param: string) => ({ code: 'unsupported_feature', status: 400, param })

describe('capabilities', () => {
  it('refuses n above 1 without the capability, on chat and on text completions', () => {
    for (const request of [chatRequest({ n: 2 }), textRequest({ n: 2 })]) {
      expect(check(request, model())).deep.equal(unsupported('n'))
      expect(check(request, modelWith({ n: true }))).equal(undefined)
    }
    expect(check(chatRequest({ n: 1 }), model())).equal(undefined)
  })

  it('refuses on text completions what engines may ignore', () => {
    for (const [param, request, flag] of [
      ['best_of', textRequest({ bestOf: 2 }), 'n'],
      ['echo', textRequest({ echo: true }), 'echo'],
      ['suffix', textRequest({ suffix: '.' }), 'suffix'],
    ] as const) {
      expect(check(request, model())).deep.equal(unsupported(param))
      expect(check(request, modelWith({ [flag]: true }))).equal(undefined)
    }
    expect(check(textRequest({ echo: false, bestOf: 1 }), model())).equal(undefined)
  })

  it('refuses best_of and stop strings that a backend which may serve the request does not take', () => {
    const more = modelWith({ n: true })
    const of = (profile: object, zdr = false) => ({ ...backendWith(profile), zdr })
    const able = of({ text_members: ['best_of'], max_stop_strings: null })
    const unable = of({ text_members: [], max_stop_strings: 1 }, true)
    for (const [param, request] of [
      ['best_of', textRequest({ bestOf: 2 })],
      ['stop', textRequest({ stop: ['a', 'b'] })],
      ['stop', chatRequest({ stop: ['a', 'b'] })],
    ] as const) {
      expect(check(request, { ...more, backends: [able] })).equal(undefined)
      expect(check(request, { ...more, backends: [able, unable] })).deep.equal(unsupported(param))
      expect(check(request, { ...more, backends: [able, unable] }, 'chat', true)).deep.equal(unsupported(param))
      expect(
        check(
          request,
          {
            ...more,
            backends: [
              { ...able, zdr: true },
              { ...unable, zdr: false },
            ],
          },
          'chat',
          true,
        ),
      ).equal(undefined)
    }
    expect(check(chatRequest({ stop: ['a'] }), { ...more, backends: [unable] })).equal(undefined)
  })

  it('refuses tools on a model without tools, whatever the choice', () => {
    const request = chatRequest({ tools: [tool()], toolChoice: 'none' })
    expect(check(request, modelWith({ streaming_tools: true }))).deep.equal(unsupported('tools'))
    expect(check(request, modelWith({ tools: true }))).equal(undefined)
  })

  it('refuses streaming tool requests on a model that cannot stream them', () => {
    const request = chatRequest({ stream: true, tools: [tool()] })
    expect(check(request, modelWith({ tools: true }))).deep.equal(unsupported('tools'))
    expect(check(request, modelWith({ tools: true, streaming_tools: true }))).equal(undefined)
    expect(check({ ...request, stream: false }, modelWith({ tools: true }))).equal(undefined)
  })

  it('admits a stream whose tools may not be called', () => {
    const request = chatRequest({ stream: true, tools: [tool()], toolChoice: 'none' })
    expect(check(request, modelWith({ tools: true }))).equal(undefined)
  })

  it('refuses preserved thinking without the capability and names the member that asked', () => {
    const request = chatRequest({ preserveThinking: { asked: true, param: 'thinking.keep' } })
    expect(check(request, model())).deep.equal(unsupported('thinking.keep'))
    expect(check(request, modelWith({ preserve_thinking: true }))).equal(undefined)
  })

  describe('images', () => {
    const image: ImagePart = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }
    const seen = (part: ImagePart) =>
      chatRequest({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] },
        ],
      })

    it('are refused on a model without vision, by the path of the part', () => {
      expect(check(seen(image), model())).deep.equal(unsupported('messages.1.content.1'))
      expect(check(seen({ ...image, origin: 'messages.0.content.3' }), model())).deep.equal(
        unsupported('messages.0.content.3'),
      )
      expect(check(seen(image), model({ vision: true }))).equal(undefined)
    })

    it('have a code of their own on Messages, and a capability', () => {
      expect(check(seen(image), model({ vision: true }), 'messages')).deep.equal({
        code: 'model_request_rejected',
        status: 400,
        param: 'messages.1.content.1',
      })
      expect(check(seen(image), model({ messages: { vision: true } }), 'messages')).equal(undefined)
    })

    it('by file_id are refused as such under ZDR, before it is asked who could see them', () => {
      const forbidden = { code: 'file_id_not_allowed_with_zdr', status: 400, param: 'messages.1.content.1' }
      const file = seen({ ...image, url: '', fileId: 'file-1' })
      expect(check(file, model(), 'chat', true)).deep.equal(forbidden)
      expect(check(file, model(), 'messages', true)).deep.equal(forbidden)
      expect(check(file, model())).deep.equal(unsupported('messages.1.content.1'))
      expect(check(seen(image), model(), 'chat', true)).deep.equal(unsupported('messages.1.content.1'))
    })

    it('inside tool results are replaced by text on Messages, where the operator says so', () => {
      const options = (tool_images_without_vision: 'refuse' | 'describe') =>
        ({ messages: { tool_images_without_vision } }) as FormatOptions
      const request = () =>
        chatRequest({
          messages: [
            { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'a.png:' }, image], origin: 'messages.1' },
          ],
        })
      const check = (one: CanonicalRequest, format: 'chat' | 'messages', does: 'refuse' | 'describe') =>
        refusal(() => checkCapabilities(one, targetOf(model()), format, options(does)))
      const described = request()
      expect(check(described, 'messages', 'describe')).equal(undefined)
      expect(described.messages[0]!.content).equal('a.png:\nAn image stood here, which this model cannot see.')
      expect(check(request(), 'messages', 'refuse')?.code).equal('model_request_rejected')
      expect(check(request(), 'chat', 'describe')?.code).equal('unsupported_feature')
      expect(check(seen(image), 'messages', 'describe')?.code).equal('model_request_rejected')
      const sees = request()
      checkCapabilities(sees, targetOf(model({ messages: { vision: true } })), 'messages', options('describe'))
      expect(sees).deep.equal(request())
    })

    it('are found in tool results', () => {
      const request = chatRequest({
        messages: [{ role: 'tool', toolCallId: 'a', content: [image], origin: 'messages.4.content.0' }],
      })
      expect(check(request, model())).deep.equal(unsupported('messages.4.content.0.content.0'))
    })
  })

  it('asks the ZDR partition where it is used', () => {
    const request = chatRequest({ n: 2 })
    const lost = modelWith({ n: true }, { zdr: { n: false } })
    const gained = modelWith({ n: false }, { zdr: { n: true } })
    expect(check(request, lost)).equal(undefined)
    expect(check(request, lost, 'chat', true)).deep.equal(unsupported('n'))
    expect(check(request, gained)).deep.equal(unsupported('n'))
    expect(check(request, gained, 'chat', true)).equal(undefined)
  })

  it('refuses in the chain', async () => {
    const given = [
      [chat, chatRequest({ n: 2 })],
      [target, targetOf(model())],
    ] as const
    const { error } = await play(capabilities, { given })
    expect(error?.code).equal('unsupported_feature')
    expect(error?.message).equal("Model 'm' does not support n greater than 1.")
  })
})
