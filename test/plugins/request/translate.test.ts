import { expect } from 'chai'
import type { Config, FormatOptions, Key } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import translate from '../../../plugins/request/translate/index.ts'
import { chat, key } from '../../../plugins/slots.ts'
import { OPTIONS } from '../../support/encoders.ts'

const formats: FormatOptions = { ...OPTIONS, clamp_max_tokens: [] }
const config = {
  formats,
  accounts: [{ id: 'clamped', formats: { ...formats, clamp_max_tokens: ['chat'] } }, { id: 'plain' }],
} as unknown as Config
const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

function keyOf(accountId: string): Key {
  return { account: { id: accountId } } as Key
}

describe('translate', () => {
  it('fills the slot chat with the canonical request', async () => {
    const { exchange } = await play(translate, { route: 'chat', body, services: { config } })
    expect(exchange.find(chat)).include({ kind: 'chat', model: 'm', stream: false, clampMaxTokens: false })
  })

  it("follows the switches of the key's own account", async () => {
    const clamps = async (accountId: string) => {
      const given = [[key, keyOf(accountId)]] as const
      const { exchange } = await play(translate, { route: 'chat', body, given, services: { config } })
      return exchange.find(chat)?.clampMaxTokens
    }
    expect(await clamps('clamped')).equal(true)
    expect(await clamps('plain')).equal(false)
    expect(await clamps('from-the-store')).equal(false)
  })

  it('passes on what the format refuses', async () => {
    const { error } = await play(translate, {
      route: 'chat',
      body: { ...body, max_tokens: 1, max_completion_tokens: 2 },
      services: { config },
    })
    expect(error).include({ code: 'schema_validation_failed' })
  })
})
