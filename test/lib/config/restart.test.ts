import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { RESTART_MEMBERS, wantsRestart } from '../../../lib/config/restart.ts'
import { configOf, MODEL } from '../../support/config.ts'

describe('config/restart', () => {
  it('names what a reload does not take up, and nothing else', () => {
    const running = configOf(`${MODEL}\nlisten: { port: 8080 }\ndocs_url: https://a.test`)
    expect(wantsRestart(running, configOf(`${MODEL}\nlisten: { port: 8080 }\ndocs_url: https://b.test`))).deep.equal([])
    const next = configOf(`${MODEL}\nlisten: { port: 8081 }\nlog: { level: warn }\ndocs_url: https://a.test`)
    expect(wantsRestart(running, next)).deep.equal(['listen', 'log'])
  })

  it('is what operators are told', () => {
    const page = readFileSync(new URL('../../../docs/OPERATIONS.md', import.meta.url), 'utf8')
    const [, listed = ''] = /^These take a restart: (.*)\.$/m.exec(page)!
    expect(listed.split(', ').map(name => name.replaceAll('`', ''))).deep.equal(RESTART_MEMBERS)
  })
})
