import { inflateSync } from 'node:zlib'
import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { PROFILES } from '../../../../lib/config/profile.ts'
import { probeCache, probeContext, probeMessages, probeVision } from '../../../../lib/engines/probe/prompt.ts'
import type { SimulatedRequest } from '../../../../simulator/options.ts'
import { sessionWith } from '../../../support/probe.ts'
import { at, closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

/** A server whose template drops messages of other roles, and the reasoning of earlier turns. */
function templateServer(roles: readonly string[]) {
  return stubServer({
    'POST /v1/chat/completions'({ messages }: JsonObject) {
      const turns = (Array.isArray(messages) ? messages : []) as JsonObject[]
      const used = turns.filter(({ role }) => roles.includes(String(role)))
      const texts = used.map(turn => String(turn.content).replace(/^<think>.*<\/think>\s*/s, ''))
      return { body: { choices: [{}], usage: { prompt_tokens: texts.join(' ').split(' ').length } } }
    },
  })
}

describe('engines/probe/prompt', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the roles and positions that a chat template supports', async () => {
    const found = async (system_inline: boolean, developer_role: boolean) => {
      const { root } = await simulatorWith({ system_inline, developer_role })
      return probeMessages(sessionWith(root), true)
    }
    expect(await found(false, false)).include({ system_inline: false, developer_role: false })
    expect(await found(true, false)).include({ system_inline: true, developer_role: false })
    expect(await found(false, true)).include({ system_inline: false, developer_role: true })
  })

  it('finds out whether reasoning of earlier turns can be kept', async () => {
    const { root } = await simulatorWith()
    expect(await probeMessages(sessionWith(root), true)).include({ preserve_thinking: true })
    expect(await probeMessages(sessionWith(root), false)).include({ preserve_thinking: false })
  })

  it('does not count a message as supported that is accepted and dropped', async () => {
    const root = await templateServer(['user', 'assistant'])
    expect(await probeMessages(sessionWith(root), true)).deep.equal({
      system_inline: false,
      developer_role: false,
      preserve_thinking: false,
    })
  })

  it("keeps the engine's profile if the server counts no tokens", async () => {
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': { body: { choices: [{}] } } }))
    expect(await probeMessages(session, true)).deep.equal({
      system_inline: false,
      developer_role: false,
      preserve_thinking: false,
    })
    expect(session.notes.join(' ')).match(/Does not count prompt tokens/)
  })
})

const CHAT = 'POST /v1/chat/completions'

describe('engines/probe/prompt: cache, window and images', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('distinguishes a null that means zero from one that means unknown', async () => {
    const found = async (engine: 'vllm' | 'sglang', report_cached_tokens: boolean) => {
      const session = sessionWith((await simulatorWith({ engine, report_cached_tokens })).root, engine)
      return [await probeCache(session), session.notes.join(' ')] as const
    }
    const findings = (cached_null_means_zero: boolean) => ({ cached_null_means_zero, cache_salt: true })
    expect(await found('vllm', true)).deep.equal([findings(false), ''])
    expect(await found('sglang', true)).deep.equal([findings(true), ''])
    expect((await found('vllm', false))[1]).match(/--enable-prompt-tokens-details/)
    expect((await found('sglang', false))[1]).match(/--enable-cache-report/)
  })

  it('recognises the refusals of known engines', async () => {
    for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
      const { root } = await simulatorWith({ engine, models: [{ id: 'simulated', max_model_len: 500 }] })
      expect(await probeContext(sessionWith(root, engine), 500)).equal(PROFILES[engine].context_patterns)
    }
  })

  it('adds the words of an unknown refusal, without its numbers', async () => {
    const message = 'Got 764 tokens, which is too much for this server: 500 are allowed'
    const root = await stubServer({ [CHAT]: { status: 400, body: { error: { message } } } })
    const patterns = await probeContext(sessionWith(root), 500)
    expect(patterns).deep.equal([...PROFILES.vllm.context_patterns, 'tokens, which is too much for this server:'])
    expect(message.toLowerCase()).include(patterns.at(-1)!)
  })

  it('adds nothing for other replies, and reports what it could not detect', async () => {
    const context = async (answer: Parameters<typeof stubServer>[0][string], window: number | undefined) => {
      const session = sessionWith(await stubServer({ [CHAT]: answer }))
      return [await probeContext(session, window), session.notes.join(' ')] as const
    }
    const known = PROFILES.vllm.context_patterns
    expect(await context({ status: 500, body: { error: { message: 'something else went wrong' } } }, 500)).deep.equal([
      known,
      '',
    ])
    expect(await context({ status: 400, body: { error: { message: 'no' } } }, 500)).deep.equal([known, ''])
    expect((await context({ body: { choices: [] } }, 500))[1]).match(/Accepts a prompt that is longer/)
    expect((await context({ body: {} }, undefined))[1]).match(/unknown or huge/)
    expect((await context({ body: {} }, 2_000_000))[1]).match(/unknown or huge/)
  })

  it('sends a valid image', async () => {
    const seen: SimulatedRequest[] = []
    const vision = [{ id: 'simulated', vision: true }]
    const { root } = await simulatorWith({ models: vision, onRequest: request => seen.push(request) })
    expect(await probeVision(sessionWith(root))).equal(true)
    const url = String(at(seen[0]!.body, 'messages', 0, 'content', 1, 'image_url', 'url'))
    const png = Buffer.from(url.replace('data:image/png;base64,', ''), 'base64')
    expect(png.toString('latin1', 1, 4)).equal('PNG')
    const data = png.indexOf('IDAT')
    expect(inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)))).lengthOf(32 * 33)
    expect(await probeVision(sessionWith((await simulatorWith()).root))).equal(false)
  })

  it('does not count an image that costs no tokens', async () => {
    const vision = async (tokens: (parts: number) => number | null) =>
      probeVision(
        sessionWith(
          await stubServer({
            [CHAT]({ messages }) {
              const parts = at(messages, 0, 'content')
              return { body: { usage: { prompt_tokens: tokens(Array.isArray(parts) ? parts.length : 0) } } }
            },
          }),
        ),
      )
    expect(await vision(() => 9)).equal(false)
    expect(await vision(parts => 9 * parts)).equal(true)
    expect(await vision(() => null)).equal(true)
  })
})
