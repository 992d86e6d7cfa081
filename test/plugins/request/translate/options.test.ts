import { expect } from 'chai'
import type { Config, FormatOptions } from '../../../../lib/plugin.ts'
import { formatOptionsByAccount } from '../../../../plugins/request/translate/options.ts'
import { OPTIONS } from '../../../support/encoders.ts'

describe('format options', () => {
  const own: Partial<FormatOptions> = { responses: { unknown_tools: 'drop', sequence_number: false } }
  const accounts = [{ id: 'a', formats: own }, { id: 'b' }]
  const optionsOf = formatOptionsByAccount({ formats: OPTIONS, accounts } as unknown as Config)

  it("are an account's own where it has some", () => {
    expect(optionsOf('a')).eql({ ...OPTIONS, ...own })
  })

  it('are those of the configuration else', () => {
    for (const account of ['b', 'unknown', '__proto__', undefined]) expect(optionsOf(account)).equal(OPTIONS)
  })
})
