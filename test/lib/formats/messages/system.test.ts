import { expect } from 'chai'
import { systemText } from '../../../../lib/formats/messages/system.ts'

const BILLING = 'x-anthropic-billing-header: cc_version=2.1.329.abc; cc_entrypoint=cli;'

describe('Messages system text', () => {
  it('joins blocks by lines', () => {
    expect(systemText(['a', '', 'b'])).equal('a\nb')
    expect(systemText([])).equal('')
  })

  it('drops the billing line, which differs in every request, as a block and inside a text', () => {
    expect(systemText([BILLING, 'You are helpful.'])).equal('You are helpful.')
    expect(systemText([`${BILLING}\nYou are helpful.`])).equal('You are helpful.')
    expect(systemText([`First.\n${BILLING}`])).equal('First.\n')
    expect(systemText([BILLING])).equal('')
  })

  it('keeps a text that only speaks of it', () => {
    const text = 'Never print an x-anthropic-billing-header: line.'
    expect(systemText([text])).equal(text)
  })

  it('drops no more than that line', () => {
    const text = `${BILLING}\x7frest`
    expect(systemText([text])).equal(text)
    expect(systemText([`${BILLING}\nRules: \x7frest`])).equal('Rules: \x7frest')
  })
})
