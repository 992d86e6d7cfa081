import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { UsageError } from '../../../lib/cli/command.ts'
import { run } from '../../../lib/cli/usage.ts'
import { openStore } from '../../../lib/store/store.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'
import { insertRecords, makeRecord } from '../../support/record.ts'
import { silent } from '../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12) * 1000

describe('sluiceway usage', () => {
  const directory = temporaryDirectory()
  let file = ''
  beforeEach(async () => {
    file = join(directory(), 'a.yaml')
    writeFileSync(
      file,
      `store: sqlite:a.db
accounts: [{ id: ${ACCOUNT_ID}, name: acme }]
${MODEL}`,
    )
    const store = await openStore(`sqlite:${join(directory(), 'a.db')}`, { log: silent })
    await insertRecords(store, [makeRecord({ created_at: NOON, account_id: ACCOUNT_ID, user_id: 'ann' })])
    await store.close()
  })

  const of = async (...argv: string[]) => {
    const { code, out, err } = await runCli(['usage', '--config', file, '--from', '2026-11-21', ...argv])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    return out
  }

  it('prints sums by groups as a table, as CSV and as JSON', async () => {
    expect(await of('--to', '2026-11-22', '--group-by', 'account,hour')).match(
      /^HOUR +ACCOUNT +REQUESTS .*\n2026-11-21T12:00:00Z +acme +1 +1000 +400 +200 +0\n$/,
    )
    expect(await of('--to', '2026-11-22', '--csv', '--group-by', 'account,backend')).match(
      /^\ufeffaccount,account_name,backend,requests,.*\r\n[-0-9a-f]{36},acme,http:\/\/10\.0\.0\.1:8000\/v1,1,1000,/,
    )
    expect(await of('--to', '2026-11-22', '--group-by', 'client')).match(/\nother +1 /)
    expect(await of('--to', '2026-11-22', '--client', 'codex')).match(/^DAY [^\n]*\n$/)
    const { rows } = JSON.parse(await of('--to', '2026-11-22', '--json', '--account', 'acme'))
    expect(rows[0]).include({ day: '2026-11-21', model: 'qwen3-32b', requests: 1 })
  })

  it('explains why it fails', async () => {
    const fails = (...argv: string[]) => run(['--config', file, ...argv]).catch(thrown => thrown)
    expect(await fails('--from', 'yesterday')).instanceOf(UsageError)
    expect(await fails('--csv', '--json')).instanceOf(UsageError)
    expect((await fails('--client', 'kodex')).message).match(/--client must be one of claude-code, codex/)
    const colour = await fails('--group-by', 'colour')
    expect(colour).instanceOf(UsageError)
    expect(colour.message).match(/^--group-by must be of day, hour.* between$/)
    const empty = await fails('--from', '2026-11-22', '--to', '2026-11-21')
    expect(empty).instanceOf(UsageError)
    expect(empty.message).equal('--from must be before --to')
    expect((await fails('--account', 'acne')).message).match(/did you mean 'acme'/)
  })

  it('lists are CSV too', async () => {
    const list = async (...argv: string[]) => (await runCli([...argv, '--config', file, '--csv'])).out
    expect(await list('accounts', 'list')).match(/^\ufeffaccount,name,kind,plan,where\r\n[-0-9a-f]{36},acme,/)
    expect(await list('members', 'list')).equal('\ufeffuser,account,role,state\r\n')
    expect(await list('keys', 'list')).equal('\ufeffkey,account,user,kind,endpoints,created,state\r\n')
    expect(await list('requests', '--since', '30d')).match(/^\ufeffrequest_id,id,.*\r\n[0-9a-f]{12},.*,acme,ann,/)
  })
})
