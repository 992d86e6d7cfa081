import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { changedRestartMembers, RESTART_MEMBERS, reloadable } from '../../../lib/config/restart.ts'
import { configOf, MODEL } from '../../support/config.ts'

describe('config/restart', () => {
  it('names what a reload does not take up, and nothing else', () => {
    const running = configOf(`${MODEL}\nlisten: { port: 8080 }\ndocs_url: https://a.test`)
    expect(
      changedRestartMembers(running, configOf(`${MODEL}\nlisten: { port: 8080 }\ndocs_url: https://b.test`)),
    ).deep.equal([])
    const next = configOf(`${MODEL}\nlisten: { port: 8081 }\nlog: { level: warn }\ndocs_url: https://a.test`)
    expect(changedRestartMembers(running, next)).deep.equal(['listen', 'log'])
    const taken = reloadable(running, next)
    expect(taken.listen.port).equal(8080)
    expect(changedRestartMembers(running, taken)).deep.equal([])
  })

  it('takes up other files of a certificate, but neither its first nor its last', () => {
    const plain = configOf(MODEL)
    const withTls = (name: string) => ({ ...plain, listen: { ...plain.listen, tls: { cert: name, key: name } } })
    expect(changedRestartMembers(withTls('a'), withTls('b'))).deep.equal([])
    expect(reloadable(withTls('a'), withTls('b')).listen.tls).deep.equal({ cert: 'b', key: 'b' })
    expect(changedRestartMembers(plain, withTls('a'))).deep.equal(['listen'])
    expect(reloadable(plain, withTls('a')).listen.tls).equal(undefined)
    expect(changedRestartMembers(withTls('a'), plain)).deep.equal(['listen'])
    expect(reloadable(withTls('a'), plain).listen.tls).deep.equal({ cert: 'a', key: 'a' })
  })

  it('names the members that docs/OPERATIONS.md lists', () => {
    const page = readFileSync(new URL('../../../docs/OPERATIONS.md', import.meta.url), 'utf8')
    const [, listed = ''] = /^These need a restart: ([^.]*)\./m.exec(page)!
    expect(listed.split(/,\s+/).map(name => name.replaceAll('`', ''))).deep.equal(RESTART_MEMBERS)
  })
})
