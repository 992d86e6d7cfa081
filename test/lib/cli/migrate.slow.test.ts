import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { stateLine } from '../../../lib/cli/migrate.ts'
import { MIGRATIONS } from '../../../lib/store/migrate.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { configFile } from '../../support/gateway.ts'
import { usePostgres } from '../../support/services.ts'
import { closeStubs, stubServer } from '../../support/stub.ts'

const ALL = MIGRATIONS.map(({ version }) => version)
const OLDER = 'a running gateway of an older version continues to read and write'
/** Far below the time limit of a migration, and above SQLite's time limit for a lock. */
const HELD_MS = 7000

/** Runs SQL in a store, and holds the lock of migrations. */
interface Hand {
  run(statement: string): Promise<void>
  /** Returns a function that releases it. */
  lock(): Promise<() => Promise<void>>
}

describe('sluiceway migrate', () => {
  const directory = temporaryDirectory()
  const fileFor = (store: string) => {
    const file = join(directory(), 'config.json')
    writeFileSync(file, JSON.stringify({ ...configFile(directory(), { backends: ['http://127.0.0.1:1/v1'] }), store }))
    return file
  }
  const migrate = async (file: string, ...more: readonly string[]) => {
    const { code, out, err } = await runCli(['migrate', '--config', file, ...more])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    return out
  }
  afterEach(closeStubs)

  function suite(urlOf: () => string, name: string, handOf: (url: string) => Hand): void {
    it('applies what is pending once; --plan and check --live show it, and change nothing', async () => {
      const url = urlOf()
      const file = fileFor(url)
      const hand = handOf(url)
      const state = async () => {
        const plan = await migrate(file, '--plan')
        const base = await stubServer({ 'GET /v1/models': { body: { data: [{ id: 'upstream-m' }] } } })
        const config = { ...configFile(directory(), { backends: [`${base}/v1`] }), store: url }
        const other = join(directory(), 'live.json')
        writeFileSync(other, JSON.stringify(config))
        const { out } = await runCli(['check', '--config', other, '--live'])
        const [line] = plan.split('\n')
        expect(out.split('\n')).include(`ok   ${line}`)
        return plan
      }
      const none = await state()
      expect(none).match(/(created at the first start|no tables yet: the first start creates them)\n/)
      expect(none.trim().split('\n').length).equal(1 + ALL.length)
      expect(await migrate(file)).match(new RegExp(`^store .*: applied migrations ${ALL.join(', ')}\n$`))
      expect(await migrate(file)).match(/^store .*: tables are up to date: nothing to do\n$/)
      expect(await state()).match(new RegExp(`^store .*: ${name} [\\d.]+.*; tables are up to date\n$`))

      await hand.run('drop index audit_log_action')
      await hand.run('drop index audit_log_actor')
      await hand.run('delete from schema_versions where version = 12')
      await hand.run('insert into schema_versions values (999, 0)')
      for (let i = 0; i < 2; i++) {
        const [line, step, ...rest] = (await state()).trim().split('\n')
        expect(line).contain('; pending: migration 12. The next start applies what is pending; ').and.contain(OLDER)
        expect(line).contain('; migration 999 of a newer version: left unchanged')
        expect(step).match(/^ {3}12 {2}adds indexes of the audit log; reads whole tables: .*journals, requests do not$/)
        expect(rest).deep.equal([])
      }
      expect(await migrate(file)).match(/: applied migration 12\n$/)
    })

    it('waits while another process migrates, and applies each once', async () => {
      const url = urlOf()
      const file = fileFor(url)
      await migrate(file)
      const hand = handOf(url)
      await hand.run('delete from schema_versions where version = 5')
      await hand.run('drop table record_horizon')
      const release = await hand.lock()
      let ended = 0
      const two = [1, 2].map(() => migrate(file).finally(() => ended++))
      await sleep(HELD_MS)
      expect(ended).equal(0)
      await release()
      const lines = (await Promise.all(two)).map(line => line.replace(/^store .*?: (tables|applied)/, '$1')).toSorted()
      expect(lines).deep.equal(['applied migration 5\n', 'tables are up to date: nothing to do\n'])
    })
  }

  describe('with SQLite', () => {
    const pathOf = (url: string) => url.slice('sqlite:'.length)
    suite(
      () => `sqlite:${join(directory(), 'store.db')}`,
      'SQLite',
      url => ({
        async run(statement) {
          const database = new DatabaseSync(pathOf(url), { timeout: 5000 })
          database.exec(statement)
          database.close()
        },
        async lock() {
          const database = new DatabaseSync(pathOf(url), { timeout: 5000 })
          database.exec('begin immediate')
          return async () => {
            database.exec('rollback')
            database.close()
          }
        },
      }),
    )
  })

  describe('with PostgreSQL', () => {
    const postgres = usePostgres()
    // A schema of its own in the database that other suites use.
    let schema = ''
    const inSchema = (url: string) => `${url}${url.includes('?') ? '&' : '?'}options=-csearch_path%3D${schema}`
    beforeEach(async () => {
      schema = `migrate_${process.pid}_${Date.now()}`
      await withClient(postgres(), client => client.query(`create schema ${schema}`))
    })
    afterEach(() => withClient(postgres(), client => client.query(`drop schema ${schema} cascade`)))

    suite(
      () => inSchema(postgres()),
      'PostgreSQL',
      url => ({
        run: statement => withClient(url, client => client.query(statement)),
        async lock() {
          const client = new pg.Client(url)
          await client.connect()
          await client.query('select pg_advisory_lock(5481702113)')
          return () => client.end()
        },
      }),
    )
  })

  it('fails, and says why, if the store cannot be used', async () => {
    const file = fileFor('postgres://u:hidden@127.0.0.1:1/db')
    for (const more of [[], ['--plan']]) {
      const { code, out, err } = await runCli(['migrate', '--config', file, ...more])
      expect([code, out]).deep.equal([1, ''])
      expect(err)
        .match(/^sluiceway migrate: the store postgres:\/\/127\.0\.0\.1:1\/db cannot be used: /)
        .and.not.contain('hidden')
    }
    const memory = await runCli(['migrate', '--config', fileFor('sqlite::memory:')])
    expect(memory).include({ code: 1, out: '' })
    expect(memory.err).contain('is in memory')
  })

  it('has one line for each state', () => {
    const state = { server: 'SQLite 3', hasTables: true, pending: [], newer: [] }
    expect(stateLine(state)).equal('SQLite 3; tables are up to date')
    expect(stateLine({ ...state, newer: [14, 15] })).contain('; migrations 14, 15 of a newer version: left unchanged')
  })
})

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await work(client).finally(() => client.end())
}
