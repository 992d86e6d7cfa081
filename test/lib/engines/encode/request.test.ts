import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { parseSource } from '../../../../lib/base/source-json.ts'
import type { ChatRequest, ReasoningOptions, TextRequest } from '../../../../lib/canonical/request.ts'
import type { Capabilities } from '../../../../lib/config/config.ts'
import { type BackendProfile, ENGINES, type Engine, PROFILES } from '../../../../lib/config/profile.ts'
import { backendBody, bodyFor, release } from '../../../../lib/engines/encode/request.ts'
import { backendConfig, backendWith } from '../../../support/backend-config.ts'
import { chatRequest, model, refusal, targetOf, textRequest, tool } from '../../../support/canonical.ts'
import { goldenFiles, indented } from '../../../support/golden-file.ts'

const CAPABLE = model({ reasoning: true, tools: true, vision: true })

function bodyOf(members: Partial<ChatRequest>, engine: Engine = 'vllm'): JsonObject {
  return backendBody(chatRequest(members), CAPABLE, backendConfig({ engine }))
}

function textBodyOf(members: Partial<TextRequest>, engine: Engine = 'vllm'): JsonObject {
  return backendBody(textRequest(members), CAPABLE, backendConfig({ engine }))
}

describe('backend request bodies', () => {
  it('have arguments of the chat template with the numbers that the client wrote, next to the own one', () => {
    const kwargs = '{"id":2512292042121000001,"z":105.0}'
    const passthrough = { chat_template_kwargs: parseSource(kwargs)! }
    const { chat_template_kwargs: sent } = bodyOf({ passthrough })
    expect(JSON.stringify(sent)).equal('{"id":2512292042121000001,"z":105.0,"enable_thinking":false}')
    expect(JSON.stringify(passthrough.chat_template_kwargs)).equal(kwargs)
  })

  /**
   * Sections: `request` (members of the canonical request), `capabilities` (of the model, optional), and any number of
   * `backend ENGINE`. A file without one is given all four by UPDATE_GOLDEN=1.
   */
  describe('golden files', () => {
    for (const file of goldenFiles('backend', '.txt')) {
      const sections = file.all('backend')
      const members = file.json<Partial<ChatRequest> | Partial<TextRequest>>('request', {})
      const card = model(file.json<Partial<Capabilities>>('capabilities', { reasoning: true }))
      for (const section of sections) {
        const engine = ENGINES.find(known => known === section.words[0])
        if (engine === undefined) throw new Error(`${file.name}: '${section.words[0]}' is no engine`)
        it(`${file.name} for ${engine}`, () => {
          const request = members.kind === 'text' ? textRequest(members) : chatRequest(members as Partial<ChatRequest>)
          const before = structuredClone(request)
          file.expect(indented(backendBody(request, card, backendConfig({ engine }))), 'backend', section)
          expect(request).deep.equal(before)
        })
      }
    }
  })

  it('sends the model name of the backend, not that of the client', () => {
    expect(bodyOf({ model: 'alias' }).model).equal('upstream-model')
    expect(textBodyOf({ model: 'alias' }).model).equal('upstream-model')
  })

  it('requests usage on each chunk of a stream from every engine, and not otherwise', () => {
    const engines = ENGINES.filter(engine => engine !== 'llama.cpp')
    for (const engine of engines) {
      const options = { include_usage: true, continuous_usage_stats: true }
      expect(bodyOf({ stream: true }, engine)).deep.include({ stream: true, stream_options: options })
      expect(textBodyOf({ stream: true }, engine)).deep.include({ stream: true, stream_options: options })
      expect(bodyOf({ stream: false }, engine))
        .include({ stream: false })
        .and.not.have.property('stream_options')
    }
  })

  it('always requests a stream if the engine would not notice a disconnect otherwise', () => {
    for (const body of [bodyOf({ stream: false }, 'llama.cpp'), textBodyOf({ stream: false }, 'llama.cpp')]) {
      expect(body).deep.include({ stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } })
    }
  })

  it('sends the repetition penalty under the name of the engine', () => {
    const sampling = { repetition_penalty: 1.5 }
    expect(bodyOf({ sampling }, 'vllm')).include(sampling)
    expect(bodyOf({ sampling }, 'llama.cpp'))
      .include({ repeat_penalty: 1.5 })
      .and.not.have.property('repetition_penalty')
  })

  it('requests one alternative if log probabilities require it', () => {
    const asked = (sampling: ChatRequest['sampling'], engine: Engine) => bodyOf({ sampling }, engine).top_logprobs
    expect(asked({ logprobs: true }, 'llama.cpp')).equal(1)
    expect(asked({ logprobs: true, top_logprobs: 0 }, 'llama.cpp')).equal(1)
    expect(asked({ logprobs: true, top_logprobs: 5 }, 'llama.cpp')).equal(5)
    expect(asked({}, 'llama.cpp')).equal(undefined)
    expect(asked({ logprobs: true, top_logprobs: 0 }, 'vllm')).equal(0)
    for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const)
      expect(asked({ logprobs: false, top_logprobs: 0 }, engine), `${engine}: refused without logprobs`).equal(
        undefined,
      )
    const text = (logprobs: number, engine: Engine) => textBodyOf({ sampling: { logprobs } }, engine).logprobs
    expect([text(0, 'llama.cpp'), text(2, 'llama.cpp'), text(0, 'vllm')]).deep.equal([1, 2, 0])
  })

  it('sends n only if it is more than one', () => {
    expect(bodyOf({ n: 1 })).not.have.property('n')
    expect(bodyOf({ n: 3 }).n).equal(3)
  })

  it('sends limits, stop strings and sampling unchanged', () => {
    const body = bodyOf({ maxTokens: 7, stop: ['a', 'b'], sampling: { seed: 0, temperature: 0, top_k: -1 } })
    expect(body).deep.include({ max_tokens: 7, stop: ['a', 'b'], seed: 0, temperature: 0, top_k: 0 })
    expect(bodyOf({ sampling: { top_k: 0 } }, 'sglang'), 'SGLang refuses 0').include({ top_k: -1 })
    expect(body).not.have.any.keys('top_p', 'min_p', 'logprobs', 'max_completion_tokens')
  })

  it('forwards no sampling member it does not know', () => {
    const sampling = { temperature: 1, priority: 5, cache_salt: 'x' } as ChatRequest['sampling']
    expect(bodyOf({ sampling })).not.have.any.keys('priority', 'cache_salt')
  })

  it('has equal bytes for equal requests, in any order of their members', () => {
    const one = bodyOf({ sampling: { seed: 1, temperature: 2 }, maxTokens: 3 })
    const other = bodyOf({ maxTokens: 3, sampling: { temperature: 2, seed: 1 } })
    expect(JSON.stringify(one)).equal(JSON.stringify(other))
  })

  it('passes large values on by reference', () => {
    const parameters = { type: 'object', properties: {} }
    const prompt = [1, 2, 3]
    expect(textBodyOf({ prompt }).prompt).equal(prompt)
    const body = bodyOf({ tools: [tool({ parameters })] })
    expect(body).nested.property('tools[0].function.parameters').equal(parameters)
  })

  describe('tools', () => {
    const tools = [tool({ name: 'a' }), tool({ name: 'b', description: 'B', strict: true })]

    it('has no tool members without tools', () => {
      const body = bodyOf({ tools: [], toolChoice: 'none', parallelToolCalls: true })
      expect(body).not.have.any.keys('tools', 'tool_choice', 'parallel_tool_calls')
    })

    it('keeps tools with tool_choice none', () => {
      const body = bodyOf({ tools, toolChoice: 'none' })
      expect(body.tools).lengthOf(2)
      expect(body.tool_choice).equal('none')
    })

    it('sends parallel_tool_calls, true or false', () => {
      expect(bodyOf({ tools, parallelToolCalls: false }).parallel_tool_calls).equal(false)
      expect(bodyOf({ tools, parallelToolCalls: true }).parallel_tool_calls).equal(true)
    })

    it('names a function if the engine supports it', () => {
      const body = bodyOf({ tools, toolChoice: { name: 'b' } })
      expect(body.tools).lengthOf(2)
      expect(body.tool_choice).deep.equal({ type: 'function', function: { name: 'b' } })
    })

    it('otherwise sends only that function and requires a call', () => {
      const request = chatRequest({ tools, toolChoice: { name: 'b' } })
      const body = backendBody(request, CAPABLE, backendWith({ named_tool_choice: false }))
      expect(body.tools).deep.equal([
        {
          type: 'function',
          function: { name: 'b', description: 'B', parameters: { type: 'object', properties: {} }, strict: true },
        },
      ])
      expect(body.tool_choice).equal('required')
    })
  })

  it('sends the members of a text completion', () => {
    const members = { prompt: ['a', 'b'], suffix: 's', echo: true, bestOf: 2, sampling: { logprobs: 3 } }
    const body = textBodyOf(members)
    expect(body).deep.include({ prompt: ['a', 'b'], suffix: 's', echo: true, best_of: 2, logprobs: 3 })
    expect(body).not.have.any.keys('messages', 'chat_template_kwargs', 'reasoning_effort')
    // best_of has no effect if it equals n.
    expect(textBodyOf({ ...members, n: 2 })).not.have.property('best_of')
  })

  it('refuses log probabilities in a stream with tools if the engine does', () => {
    const members = { stream: true, tools: [tool()], sampling: { logprobs: true } }
    const refused = refusal(() => bodyOf(members, 'llama.cpp'))
    expect(refused).deep.equal({ code: 'unsupported_feature', status: 400, param: 'logprobs' })
    expect(bodyOf(members, 'vllm')).include({ stream: true })
    expect(bodyOf({ ...members, tools: [] }, 'llama.cpp')).include({ stream: true })
  })

  it('refuses an image that is still a URL', () => {
    for (const url of ['http://10.0.0.1/a.png', 'https://example.com/a.png', ' http://x', 'file:///etc/passwd', '']) {
      const content = [{ type: 'image' as const, url }]
      const refused = refusal(() => bodyOf({ messages: [{ role: 'user', content }] }))
      expect(refused, url).deep.equal({ code: 'model_request_rejected', status: 400, param: undefined })
    }
  })
})

function wish(members: Partial<ReasoningOptions> = {}): ReasoningOptions {
  return { enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off', ...members }
}

describe('reasoning in a backend body', () => {
  function members(
    asked: Partial<ReasoningOptions>,
    profile: BackendProfile,
    ability: Capabilities['reasoning'] = true,
  ) {
    const backend = backendConfig({ profile })
    const body = backendBody(chatRequest({ reasoning: wish(asked) }), model({ reasoning: ability }), backend)
    const { chat_template_kwargs, reasoning_effort } = body
    return JSON.parse(JSON.stringify({ chat_template_kwargs, reasoning_effort }))
  }

  it('is switched on and off by the template argument of the profile', () => {
    const thinking = { ...PROFILES.vllm, thinking_kwarg: 'thinking' as const }
    expect(members({}, PROFILES.vllm)).deep.equal({ chat_template_kwargs: { enable_thinking: false } })
    expect(members({ enabled: true }, thinking)).deep.equal({ chat_template_kwargs: { thinking: true } })
  })

  it('is effort none if the engine accepts it', () => {
    expect(members({}, PROFILES.openai)).deep.equal({ reasoning_effort: 'none' })
    expect(members({ enabled: true, effort: 'high' }, PROFILES.openai)).deep.equal({ reasoning_effort: 'high' })
  })

  it('is off by default, and an effort alone does not switch it on', () => {
    expect(members({ effort: 'high', byDefault: 'card' }, PROFILES.vllm)).deep.equal({
      chat_template_kwargs: { enable_thinking: false },
    })
  })

  it('has no members for models that cannot reason', () => {
    expect(members({ enabled: true, effort: 'high' }, PROFILES.vllm, false)).deep.equal({})
  })

  it('sends an effort if the engine accepts it, otherwise the strongest weaker one', () => {
    const three = { ...PROFILES.openai, efforts: ['low', 'medium', 'high'] }
    expect(members({ enabled: true, effort: 'max' }, three)).deep.equal({ reasoning_effort: 'high' })
    expect(members({ enabled: true, effort: 'medium' }, three)).deep.equal({ reasoning_effort: 'medium' })
    expect(members({ enabled: true, effort: 'low' }, { ...three, efforts: ['none', 'high'] })).deep.equal({})
    expect(members({ enabled: true, effort: 'high' }, { ...three, efforts: [] })).deep.equal({})
  })
})

describe('bodies for backends', () => {
  const bodyAt = (profile: Parameters<typeof backendWith>[0], more: object) =>
    bodyFor(chatRequest(), { ...targetOf(model()), ...more }, backendWith(profile))

  it('have the priority of the plan if the engine accepts it, in its order', () => {
    expect(bodyAt({ priority: 'lower_first' }, { priority: 5 })).include({ priority: -5 })
    expect(bodyAt({ priority: 'higher_first' }, { priority: 5 })).include({ priority: 5 })
    expect(bodyAt({ priority: 'lower_first' }, {})).not.have.property('priority')
    expect(bodyAt({}, { priority: 5 })).not.have.property('priority')
  })

  it('have the salt of the account if the engine accepts it', () => {
    expect(bodyAt({}, { cacheSalt: 'abc' })).include({ cache_salt: 'abc' })
    expect(bodyAt({ cache_salt: false }, { cacheSalt: 'abc' })).not.have.property('cache_salt')
  })

  it('are no longer needed after release(), which drops the conversation', () => {
    const request = chatRequest({ tools: [tool({ description: 'long' })] })
    release(request)
    expect(request.messages).deep.equal([])
    expect(request.tools[0]).include({ name: 'look_up', description: undefined, parameters: undefined })
  })
})
