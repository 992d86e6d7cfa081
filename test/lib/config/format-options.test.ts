import { expect } from 'chai'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { OPTIONS } from '../../support/encoders.ts'

/** The options of the gateway, of its account and of the account's key. */
function optionsWith({ gateway = '', account = '', key = '' }) {
  const keys = `keys: [{ id: k1, secret: service_abcd, ${key} }]`
  const config = configOf(`${gateway}${MODEL}accounts: [{ id: ${ACCOUNT_ID}, ${account} ${keys} }]`)
  const [own] = config.accounts
  return { gateway: config.formats, account: own!.formats, key: own!.keys[0]!.formats }
}

describe('options of the APIs', () => {
  it('are undefined on levels that set none', () => {
    expect(optionsWith({})).deep.equal({ gateway: OPTIONS, account: undefined, key: undefined })
  })

  it("lay an account's over those of the gateway", () => {
    const gateway = 'messages: { tool_images_without_vision: describe }\nresponses: { sequence_number: true }'
    const shared = {
      ...OPTIONS,
      messages: { ...OPTIONS.messages, tool_images_without_vision: 'describe' },
      responses: { ...OPTIONS.responses, sequence_number: true },
    }
    expect(optionsWith({ gateway, account: 'messages: { adaptive_thinking: on },' }).account).deep.equal({
      ...shared,
      messages: { ...shared.messages, adaptive_thinking: true },
    })
    expect(optionsWith({ gateway, account: 'responses: { unknown_tools: drop },' }).account).deep.equal({
      ...shared,
      responses: { ...shared.responses, unknown_tools: 'drop' },
    })
    expect(optionsWith({ gateway, account: 'tools: { empty_parameters: accept },' }).account).deep.equal({
      ...shared,
      tools: { empty_parameters: 'accept' },
    })
  })

  it('follow a profile, under what the same level sets by name', () => {
    const agents = {
      ...OPTIONS,
      chat: { usage_chunks: 'last' },
      messages: { ...OPTIONS.messages, input_tokens: 'uncached' },
      responses: { ...OPTIONS.responses, untyped_items: 'message', unknown_tools: 'drop' },
      tools: { empty_parameters: 'accept' },
      reasoning: { other_efforts: 'nearest' },
      errors: { used_up: 402 },
    }
    const account = 'client_profile: agents,'
    expect(optionsWith({ account })).deep.equal({ gateway: OPTIONS, account: agents, key: undefined })
    expect(optionsWith({ account: `${account} chat: { usage_chunks: every },` }).account).deep.equal({
      ...agents,
      chat: { usage_chunks: 'every' },
    })
    expect(optionsWith({ account, key: 'reasoning: { other_efforts: refuse }' }).key).deep.equal({
      ...agents,
      reasoning: { other_efforts: 'refuse' },
    })
    expect(optionsWith({ account, key: 'tools: { empty_parameters: refuse }' }).key).deep.equal({
      ...agents,
      tools: { empty_parameters: 'refuse' },
    })
    expect(optionsWith({ account: 'chat: { usage_chunks: every },', key: 'client_profile: agents' }).key).deep.equal(
      agents,
    )
    const gateway = 'chat: { usage_chunks: last }\n'
    expect(optionsWith({ gateway, account, key: 'client_profile: default' }).key).deep.equal({
      ...OPTIONS,
      chat: { usage_chunks: 'last' },
    })
  })

  it("lay a key's over those of its account, or of the gateway", () => {
    const account = 'tools: { empty_parameters: accept }, messages: { adaptive_thinking: on },'
    expect(optionsWith({ account, key: 'tools: { empty_parameters: refuse }' }).key).deep.equal({
      ...OPTIONS,
      messages: { ...OPTIONS.messages, adaptive_thinking: true },
    })
    expect(optionsWith({ key: 'responses: { unknown_tools: drop }' }).key).deep.equal({
      ...OPTIONS,
      responses: { ...OPTIONS.responses, unknown_tools: 'drop' },
    })
  })
})
