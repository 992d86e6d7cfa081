import { expect } from 'chai'
import type { Config, FormatOptions, Key } from '../../../lib/plugin.ts'
import { play } from '../../../lib/testing.ts'
import translate from '../../../plugins/request/translate/index.ts'
import { chat, formatOptions, key } from '../../../plugins/slots.ts'
import { OPTIONS } from '../../support/encoders.ts'

const formats: FormatOptions = { ...OPTIONS, clamp_max_tokens: [] }
const clamping: FormatOptions = { ...formats, clamp_max_tokens: ['chat'] }
const accepting: FormatOptions = { ...formats, tools: { empty_parameters: 'accept' } }
const config = {
  formats,
  accounts: [{ id: 'clamped', formats: clamping }, { id: 'plain' }],
} as unknown as Config
const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

const keyOf = (account: string, own?: FormatOptions) => ({ account: { id: account }, formats: own }) as Key

function translated(caller?: Key) {
  const given = caller === undefined ? [] : ([[key, caller]] as const)
  return play(translate, { route: 'chat', body, given, services: { config } })
}

async function optionsFor(caller?: Key) {
  return (await translated(caller)).exchange.find(formatOptions)
}

describe('translate', () => {
  it('fills the slot chat with the canonical request', async () => {
    const { exchange } = await translated()
    expect(exchange.find(chat)).include({ kind: 'chat', model: 'm', stream: false, clampMaxTokens: false })
  })

  it('applies the format options of the account', async () => {
    expect((await translated(keyOf('clamped'))).exchange.find(chat)?.clampMaxTokens).equal(true)
  })

  it('passes on what the format refuses', async () => {
    const { error } = await play(translate, {
      route: 'chat',
      body: { ...body, max_tokens: 1, max_completion_tokens: 2 },
      services: { config },
    })
    expect(error).include({ code: 'schema_validation_failed' })
  })

  describe('format options', () => {
    it('are those of the key, if it has options', async () => {
      for (const account of ['clamped', 'plain', 'unknown'])
        expect(await optionsFor(keyOf(account, accepting)), account).equal(accepting)
    })

    it('are otherwise those of the account', async () => {
      expect(await optionsFor(keyOf('clamped'))).equal(clamping)
    })

    it('are those of the gateway without either, and without a key', async () => {
      for (const account of ['plain', 'unknown', '__proto__'])
        expect(await optionsFor(keyOf(account)), account).equal(formats)
      expect(await optionsFor()).equal(formats)
    })
  })
})
