import { expect } from 'chai'
import type { CanonicalRequest, FormatOptions, ImagePart, ModelConfig } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import capabilities from '../../../plugins/rules/capabilities/index.ts'
import { chat, formatOptions, target } from '../../../plugins/slots.ts'
import { backendWith } from '../../support/backend-config.ts'
import { chatRequest, model, modelWith, targetOf, textRequest, tool } from '../../support/canonical.ts'
import { refusalIn } from '../../support/refusal.ts'

async function check(
  request: CanonicalRequest,
  config: ModelConfig,
  format: 'chat' | 'messages' = 'chat',
  { zdr = false, options }: { readonly zdr?: boolean; readonly options?: FormatOptions } = {},
) {
  const given = [
    [chat, request],
    [target, targetOf(config, zdr)],
    ...(options === undefined ? [] : ([[formatOptions, options]] as const)),
  ] as const
  return refusalIn(await play(capabilities, { given, route: request.kind === 'text' ? 'completions' : format }))
}

const unsupported = (param: string) => ({ code: 'unsupported_feature', status: 400, param })

describe('capabilities', () => {
  it('refuses n above 1 without the capability, on chat and on text completions', async () => {
    for (const request of [chatRequest({ n: 2 }), textRequest({ n: 2 })]) {
      expect(await check(request, model())).deep.equal(unsupported('n'))
      expect(await check(request, modelWith({ n: true }))).equal(undefined)
    }
    expect(await check(chatRequest({ n: 1 }), model())).equal(undefined)
  })

  it('refuses on text completions what engines may ignore', async () => {
    for (const [param, request, flag] of [
      ['best_of', textRequest({ bestOf: 2 }), 'n'],
      ['echo', textRequest({ echo: true }), 'echo'],
      ['suffix', textRequest({ suffix: '.' }), 'suffix'],
    ] as const) {
      expect(await check(request, model())).deep.equal(unsupported(param))
      expect(await check(request, modelWith({ [flag]: true }))).equal(undefined)
    }
    expect(await check(textRequest({ echo: false, bestOf: 1 }), model())).equal(undefined)
  })

  it('refuses best_of and stop strings that a possible backend does not accept', async () => {
    const more = modelWith({ n: true })
    const of = (profile: object, zdr = false) => ({ ...backendWith(profile), zdr })
    const able = of({ text_members: ['best_of'], max_stop_strings: null })
    const unable = of({ text_members: [], max_stop_strings: 1 }, true)
    for (const [param, request] of [
      ['best_of', textRequest({ bestOf: 2 })],
      ['stop', textRequest({ stop: ['a', 'b'] })],
      ['stop', chatRequest({ stop: ['a', 'b'] })],
    ] as const) {
      expect(await check(request, { ...more, backends: [able] })).equal(undefined)
      expect(await check(request, { ...more, backends: [able, unable] })).deep.equal(unsupported(param))
      expect(await check(request, { ...more, backends: [able, unable] }, 'chat', { zdr: true })).deep.equal(
        unsupported(param),
      )
      expect(
        await check(
          request,
          {
            ...more,
            backends: [
              { ...able, zdr: true },
              { ...unable, zdr: false },
            ],
          },
          'chat',
          { zdr: true },
        ),
      ).equal(undefined)
    }
    expect(await check(chatRequest({ stop: ['a'] }), { ...more, backends: [unable] })).equal(undefined)
  })

  it('refuses tools on a model without tools, whatever the choice', async () => {
    const request = chatRequest({ tools: [tool()], toolChoice: 'none' })
    expect(await check(request, modelWith({ streaming_tools: true }))).deep.equal(unsupported('tools'))
    expect(await check(request, modelWith({ tools: true }))).equal(undefined)
  })

  it('refuses streaming tool requests on a model that cannot stream them', async () => {
    const request = chatRequest({ stream: true, tools: [tool()] })
    expect(await check(request, modelWith({ tools: true }))).deep.equal(unsupported('tools'))
    expect(await check(request, modelWith({ tools: true, streaming_tools: true }))).equal(undefined)
    expect(await check({ ...request, stream: false }, modelWith({ tools: true }))).equal(undefined)
  })

  it('admits a stream whose tools may not be called', async () => {
    const request = chatRequest({ stream: true, tools: [tool()], toolChoice: 'none' })
    expect(await check(request, modelWith({ tools: true }))).equal(undefined)
  })

  it('refuses preserved thinking without the capability, and names the member of the request', async () => {
    const request = chatRequest({ preserveThinking: { asked: true, param: 'thinking.keep' } })
    expect(await check(request, model())).deep.equal(unsupported('thinking.keep'))
    expect(await check(request, modelWith({ preserve_thinking: true }))).equal(undefined)
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

    it('are refused on a model without vision, by the path of the part', async () => {
      expect(await check(seen(image), model())).deep.equal(unsupported('messages.1.content.1'))
      expect(await check(seen({ ...image, origin: 'messages.0.content.3' }), model())).deep.equal(
        unsupported('messages.0.content.3'),
      )
      expect(await check(seen(image), model({ vision: true }))).equal(undefined)
    })

    it('have a specific code and capability on Messages', async () => {
      expect(await check(seen(image), model({ vision: true }), 'messages')).deep.equal({
        code: 'model_request_rejected',
        status: 400,
        param: 'messages.1.content.1',
      })
      expect(await check(seen(image), model({ messages: { vision: true } }), 'messages')).equal(undefined)
    })

    it('by file_id are refused under ZDR, before the check of vision', async () => {
      const forbidden = { code: 'file_id_not_allowed_with_zdr', status: 400, param: 'messages.1.content.1' }
      const file = seen({ ...image, url: '', fileId: 'file-1' })
      expect(await check(file, model(), 'chat', { zdr: true })).deep.equal(forbidden)
      expect(await check(file, model(), 'messages', { zdr: true })).deep.equal(forbidden)
      expect(await check(file, model())).deep.equal(unsupported('messages.1.content.1'))
      expect(await check(seen(image), model(), 'chat', { zdr: true })).deep.equal(unsupported('messages.1.content.1'))
    })

    it('inside tool results are replaced by text on Messages, if configured', async () => {
      const options = (tool_images_without_vision: 'refuse' | 'describe') =>
        ({ messages: { tool_images_without_vision } }) as FormatOptions
      const request = () =>
        chatRequest({
          messages: [
            { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'a.png:' }, image], origin: 'messages.1' },
          ],
        })
      const codeOf = async (one: CanonicalRequest, format: 'chat' | 'messages', does: 'refuse' | 'describe') =>
        (await check(one, model(), format, { options: options(does) }))?.code
      const described = request()
      expect(await codeOf(described, 'messages', 'describe')).equal(undefined)
      expect(described.messages[0]!.content).equal('a.png:\nAn image stood here, which this model cannot see.')
      expect(await codeOf(request(), 'messages', 'refuse')).equal('model_request_rejected')
      expect(await codeOf(request(), 'chat', 'describe')).equal('unsupported_feature')
      expect(await codeOf(seen(image), 'messages', 'describe')).equal('model_request_rejected')
      const sees = request()
      const seeing = model({ messages: { vision: true } })
      expect(await check(sees, seeing, 'messages', { options: options('describe') })).equal(undefined)
      expect(sees).deep.equal(request())
    })

    it('inside tool results are refused with the name of the setting that replaces them', async () => {
      const messageOf = async (request: CanonicalRequest) => {
        const given = [[chat, request] as const, [target, targetOf(model())] as const] as const
        return (await play(capabilities, { given, route: 'messages' })).error?.message
      }
      const request = chatRequest({ messages: [{ role: 'tool', toolCallId: 'a', content: [image] }] })
      expect(await messageOf(request)).contain("'messages.tool_images_without_vision'")
      expect(await messageOf(seen(image))).match(/does not support images\.$/)
    })

    it('are found in tool results', async () => {
      const request = chatRequest({
        messages: [{ role: 'tool', toolCallId: 'a', content: [image], origin: 'messages.4.content.0' }],
      })
      expect(await check(request, model())).deep.equal(unsupported('messages.4.content.0.content.0'))
    })
  })

  it('checks the ZDR partition if it is used', async () => {
    const request = chatRequest({ n: 2 })
    const lost = modelWith({ n: true }, { zdr: { n: false } })
    const gained = modelWith({ n: false }, { zdr: { n: true } })
    expect(await check(request, lost)).equal(undefined)
    expect(await check(request, lost, 'chat', { zdr: true })).deep.equal(unsupported('n'))
    expect(await check(request, gained)).deep.equal(unsupported('n'))
    expect(await check(request, gained, 'chat', { zdr: true })).equal(undefined)
    const given = [
      [chat, request],
      [target, targetOf({ ...gained, backends: [{ ...backendWith({}), zdr: true }] })],
    ] as const
    const { error } = await play(capabilities, { given, route: 'chat' })
    expect(error?.message).match(/n greater than 1 without zero data retention\.$/)
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
