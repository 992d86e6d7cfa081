import { expect } from 'chai'
import { probePrompt } from '../../../../lib/backend/probe/prompt.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { sessionWith } from '../../../support/probe.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

/** A template that uses only these members of messages with these roles, and only while the model works on an answer. */
function templateServer(roles: readonly string[], field: string) {
  return stubServer({
    'POST /v1/chat/completions'({ messages }: JsonObject) {
      const turns = (Array.isArray(messages) ? messages : []) as JsonObject[]
      const working = turns.at(-1)?.role === 'tool'
      const used = turns.filter(({ role }) => roles.includes(String(role)))
      const texts = used.map(turn => String(turn.content) + (working ? String(turn[field] ?? '') : ''))
      return { body: { choices: [{}], usage: { prompt_tokens: texts.join(' ').split(' ').length } } }
    },
  })
}

describe('backend/probe/prompt', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('finds the roles and places that a chat template takes', async () => {
    const found = async (system_inline: boolean, developer_role: boolean) => {
      const { root } = await simulatorWith({ system_inline, developer_role })
      return probePrompt(sessionWith(root), true)
    }
    expect(await found(false, false)).include({ system_inline: false, developer_role: false })
    expect(await found(true, false)).include({ system_inline: true, developer_role: false })
    expect(await found(false, true)).include({ system_inline: false, developer_role: true })
  })

  it("finds the member that takes reasoning, the engine's usual one first", async () => {
    const found = async (engine: 'vllm' | 'sglang') =>
      probePrompt(sessionWith((await simulatorWith({ engine })).root, engine), true)
    expect(await found('vllm')).include({ reasoning_in_field: 'reasoning', preserve_thinking: true })
    expect(await found('sglang')).include({ reasoning_in_field: 'reasoning_content', preserve_thinking: true })
  })

  it('does not count a message that is accepted and dropped', async () => {
    const root = await templateServer(['user', 'assistant', 'tool'], 'reasoning_content')
    expect(await probePrompt(sessionWith(root), true)).deep.equal({
      system_inline: false,
      developer_role: false,
      reasoning_in_field: 'reasoning_content',
      preserve_thinking: false,
    })
  })

  it('finds out that no member takes reasoning', async () => {
    const root = await templateServer(['user', 'assistant', 'tool'], 'thoughts')
    expect(await probePrompt(sessionWith(root), true)).include({ reasoning_in_field: null })
  })

  it("keeps to the engine's profile where the server counts nothing, and where nothing reasons", async () => {
    const session = sessionWith(await stubServer({ 'POST /v1/chat/completions': { body: { choices: [{}] } } }))
    const usual = {
      system_inline: false,
      developer_role: false,
      reasoning_in_field: 'reasoning',
      preserve_thinking: false,
    }
    expect(await probePrompt(session, true)).deep.equal(usual)
    expect(session.notes.join(' ')).match(/Does not count prompt tokens/)
    const { root } = await simulatorWith()
    expect(await probePrompt(sessionWith(root), false)).deep.equal(usual)
  })
})
