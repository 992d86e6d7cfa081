import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { run } from '../../../lib/cli/batches.ts'
import { UsageError } from '../../../lib/cli/command.ts'
import { changeBatch } from '../../../lib/store/batches.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { runningBatch } from '../../support/batch-rows.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID, MODEL } from '../../support/config.ts'

describe('sluiceway batches', () => {
  const directory = temporaryDirectory()
  let file = ''
  let store: Store
  beforeEach(async () => {
    file = join(directory(), 'b.yaml')
    const store_ = `sqlite:${join(directory(), 'b.db')}`
    writeFileSync(file, `store: ${store_}\nbatches: {}\naccounts: [{ id: ${ACCOUNT_ID}, name: acme }]\n${MODEL}`)
    store = await openStore(store_, { log: pino({ level: 'silent' }) })
    await runningBatch(store, 'batch_1', ['m', 'm', 'm'], { account_id: ACCOUNT_ID, created_at: Date.now() - 150_000 })
    const counts = { model: 'm', completed: 1 }
    await changeBatch(store, 'batch_1', { status: ['in_progress'] }, counts)
  })
  afterEach(() => store.close())

  async function ok(action: string, ...argv: string[]): Promise<string> {
    const { code, out, err } = await runCli(['batches', action, '--config', file, ...argv])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    return out
  }

  it('lists what waits and runs, pauses and resumes models, and cancels a batch', async () => {
    expect(await ok('list'))
      .match(/^acme +m +1 +2 +0 +[23] min +-$/m)
      .and.match(/^batch_1 +acme +in_progress +m +3 +1 +0 +20\d\d-/m)
    expect(await ok('pause', 'm')).match(/^m is paused: /)
    expect(await ok('list')).match(/ min +yes$/m)
    expect(JSON.parse(await ok('list', '--json'))).deep.include({ paused_models: ['m'], has_more: false })
    expect(await ok('resume', 'm')).match(/^m is not paused: /)
    expect(await ok('cancel', 'batch_1')).equal('batch_1 is being cancelled.\n')
    expect(await ok('list', '--status', 'completed')).not.contain('batch_1')
    await changeBatch(store, 'batch_1', { status: ['cancelling'] }, { status: 'cancelled' })
    expect(await ok('cancel', 'batch_1')).equal('batch_1 stays as it is: its state is cancelled.\n')
    expect(await ok('list')).not.contain('batch_1')
    await ok('pause', 'm')
    expect(await ok('list')).match(/^Paused, without requests: m$/m)
  })

  it('explains why it fails', async () => {
    const fails = (...argv: string[]) => run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    const noModel = async (command: string, name: string) => (await fails(command, '--config', 'FILE', name)).message
    for (const command of ['pause', 'resume']) {
      expect(await noModel(command, 'mm')).contain("'model' is 'mm', which is not a model: did you mean 'm'?")
      expect(await noModel(command, 'nope')).match(/'model' is 'nope', which is not a model: there is 'm'$/)
    }
    expect((await fails('cancel', '--config', 'FILE', 'batch_9')).message).match(/There is no batch with this id$/)
    expect((await fails('list', '--config', 'FILE', '--account', 'x')).message).match(/account/)
    expect(await fails('list', '--config', 'FILE', '--status', 'done')).instanceOf(UsageError)
    expect(await fails('cancel', '--config', 'FILE')).instanceOf(UsageError)
    expect(await fails('drop')).instanceOf(UsageError)
  })
})
