import { expect } from 'chai'
import { START, startWith } from '../../../lib/cli/own-command.ts'

// What an installed package says: test/pack.slow.test.ts.
describe('own-command', () => {
  it('is npm in a checkout', () => {
    expect(START).equal('npm start')
    expect(startWith('--config FILE')).equal('npm start -- --config FILE')
  })
})
