import { expect } from 'chai'
import type { FormatOptions, Key } from '../../../../lib/plugin.ts'
import { formatOptionsByKey } from '../../../../plugins/request/translate/options.ts'
import { OPTIONS } from '../../../support/encoders.ts'

const dropping: FormatOptions = { ...OPTIONS, responses: { ...OPTIONS.responses, unknown_tools: 'drop' } }
const accepting: FormatOptions = { ...OPTIONS, tools: { empty_parameters: 'accept' } }

describe('format options', () => {
  const accounts = [{ id: 'a', formats: dropping }, { id: 'b' }]
  const optionsOf = formatOptionsByKey({ formats: OPTIONS, accounts } as unknown as Parameters<
    typeof formatOptionsByKey
  >[0])
  const keyOf = (account: string, formats?: FormatOptions) => ({ account: { id: account }, formats }) as Key

  it("are a key's own where it has some", () => {
    for (const account of ['a', 'b', 'unknown']) expect(optionsOf(keyOf(account, accepting))).equal(accepting)
  })

  it('are those of its account else', () => {
    expect(optionsOf(keyOf('a'))).equal(dropping)
  })

  it('are those of the gateway without either, and without a key', () => {
    for (const account of ['b', 'unknown', '__proto__']) expect(optionsOf(keyOf(account))).equal(OPTIONS)
    expect(optionsOf(undefined)).equal(OPTIONS)
  })
})
