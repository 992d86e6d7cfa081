import type { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Batch } from '../../../lib/batches/batch.ts'
import type { Config } from '../../../lib/config/config.ts'
import { failure } from '../../../lib/errors/errors.ts'
import type { Files } from '../../../lib/files/files.ts'
import { ownerOf } from '../../../lib/files/owner.ts'
import { testServices } from '../../../lib/testing.ts'
import plugin from '../../../plugins/console/console-batches/index.ts'
import { batchOf, memoryBatches } from '../../support/batches.ts'
import { ACCOUNT_ID, configOf, MODEL } from '../../support/config.ts'
import { type Visit, visit } from '../../support/visit.ts'
import { formToken, members, ownAccount, sessions } from '../../support/visitors.ts'

const OWNER = ownerOf(ACCOUNT_ID, 'alice')
const ID = `batch_${'0'.repeat(23)}1`
const TYPE = { 'content-type': 'multipart/form-data; boundary=B' }
const config = configOf(`batches: { windows: [24h, 7d] }
plans: { team: {}, none: { batches: false } }
${MODEL}`)
const HIDDEN = { 'content-type': 'application/x-www-form-urlencoded' }

/** A store with the file that the form uploads. */
function filesOf() {
  const kept: { owner: string; purpose: string; filename: string; text: string }[] = []
  const removed: string[] = []
  const files = {
    ...testServices().files,
    create: async (owner: string, _announced: number, receive: Parameters<Files['create']>[2]) => {
      let text = ''
      const { filename, purpose } = await receive(async (bytes: Readable) => {
        for await (const piece of bytes) text += String(piece)
      })
      kept.push({ owner, purpose, filename, text })
      return { id: 'file-1' } as never
    },
    find: async (owner: string, id: string) => (owner === OWNER ? ({ id, bytes: 3 } as never) : undefined),
    stream: (_owner: string, { id }: { id: string }) => [`content of ${id}`] as never,
    remove: async (_owner: string, id: string) => removed.push(id) > 0,
  } as Files
  return { files, kept, removed }
}

const form = (
  fields: Readonly<Record<string, string>>,
  file: string | null = '{"custom_id":"1"}\n',
  name = 'a.jsonl',
) =>
  [
    ...Object.entries(fields).map(
      ([field, value]) => `--B\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    ),
    ...(file === null
      ? []
      : [
          `--B\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${file}\r\n`,
        ]),
    '--B--\r\n',
  ].join('')
const FIELDS = { csrf_token: formToken('good'), endpoint: '/v1/chat/completions', window: '7d' }

describe('console-batches', () => {
  let batches = memoryBatches()
  let store = filesOf()
  beforeEach(() => {
    batches = memoryBatches()
    store = filesOf()
  })

  const add = (more: Partial<Batch> = {}) => {
    const batch = batchOf({ id: ID, owner: OWNER, accountId: ACCOUNT_ID, status: 'in_progress', ...more })
    batches.all.unshift(batch)
    return batch
  }
  const ask = (request: Visit, own: { plan?: string; zdrRequired?: boolean } = {}, more: object = {}) => {
    const ownKeys = { ...members, accounts: async () => [ownAccount({ plan: 'team', ...own })] }
    const clock = { ...testServices().clock, now: () => 1_750_000_100_000 }
    const services = { config: config as Config, sessions, ownKeys, batches, files: store.files, clock, ...more }
    return visit(plugin, services, { params: { batch_id: ID }, ...request })
  }
  const send = (text: string, own = {}) => ask({ route: 'console-batch-start', form: text, headers: TYPE }, own)

  it('requires a session on every route', async () => {
    const routes = ['console-batches', 'console-batch-start', 'console-batch', 'console-batch-cancel'] as const
    for (const route of [...routes, 'console-batch-file'] as const)
      expect((await ask({ route, cookie: '' })).status, route).equal(401)
  })

  it('lists the batches of both APIs, newest first, in pages', async () => {
    for (let i = 0; i < 15; i++) {
      const number = String(i).padStart(23, '0')
      add({ id: `batch_1${number}`, counts: { total: 10, completed: 3, failed: 1, cancelled: 0, expired: 0 } })
      add({ id: `msgbatch_2${number}`, api: 'anthropic', status: 'completed' })
    }
    add({ owner: 'another' })
    const { status, page } = await ask({ route: 'console-batches' })
    expect(status).equal(200)
    expect(page).contain('aria-current="page">Batches')
    const shown = [...page.matchAll(/<code class="whole">((?:msg)?batch_\w+)/g)].map(([, id]) => id)
    expect(shown).lengthOf(20)
    expect(shown.slice(0, 15).every(id => id!.startsWith('msgbatch_2'))).equal(true)
    expect(page).contain('<progress max="10" value="4"').and.contain('4 of 10').and.not.contain(ID)
    const before = /before=(\w+)/.exec(page)![1]!
    const rest = await ask({ route: 'console-batches', query: `before=${before}` })
    expect([...rest.page.matchAll(/<code class="whole">(batch_\w+)/g)]).lengthOf(10)
    expect(rest.page).not.contain('before=')
  })

  it('stores the file of its form, and starts a batch', async () => {
    const { status, headers } = await send(form(FIELDS))
    expect(status).equal(303)
    expect(headers.location).match(new RegExp(`^/console/batches/batch_\\w+\\?account=${ACCOUNT_ID}&done=started$`))
    expect(store.kept).deep.equal([
      { owner: OWNER, purpose: 'batch', filename: 'a.jsonl', text: '{"custom_id":"1"}\n' },
    ])
    expect(batches.all[0]).include({ inputFileId: 'file-1', window: '7d', keyId: 'console:alice', user: 'alice' })
  })

  it('refuses forms without a token, a file, an endpoint or a window, and stores nothing', async () => {
    const refused = async (text: string, own = {}) => {
      const { status, page } = await send(text, own)
      return `${status} ${/role="status">([^<]*)/.exec(page)?.[1]}`
    }
    expect(await refused(form({ ...FIELDS, csrf_token: 'x' }))).match(/^403 This form/)
    expect(await refused(form({ ...FIELDS, endpoint: '/v1/messages' }))).match(/^422 Choose an endpoint/)
    expect(await refused(form({ ...FIELDS, window: '1h' }))).match(/^422 Choose a time/)
    expect(await refused(form(FIELDS, '', ''))).match(/^422 Choose a file/)
    expect(await refused(form(FIELDS, null))).match(/^422 Choose a file/)
    expect((await send(form(FIELDS, null))).page).contain('id="file-problem">Choose a file.')
    expect(await refused(form(FIELDS).slice(0, -20))).match(/^400 The form was not received/)
    expect(await refused(form(FIELDS), { zdrRequired: true })).match(/^400 Zero data/)
    expect((await ask({ route: 'console-batch-start', form: 'a=b', headers: HIDDEN })).status).equal(400)
    expect(store.kept).deep.equal([])
    expect(batches.all).deep.equal([])
  })

  it('removes the file if no batch starts', async () => {
    batches.create = async () => {
      throw failure('batch_limit_exceeded', { problem: 'Too many.' })
    }
    const { status, page } = await send(form(FIELDS))
    expect(status).equal(429)
    expect(page).contain('Too many.').and.contain('value="7d" selected')
    expect(store.removed).deep.equal(['file-1'])
  })

  it('shows progress, expected end, price, files and problems of a batch', async () => {
    const counts = { total: 100, completed: 50, failed: 10, cancelled: 0, expired: 0 }
    add({ counts, inProgressAt: 1_750_000_000_000, model: 'm', metadata: { '<a>': '<b>' } })
    const reports = { ...testServices().reports, batch: async () => ({ cost: 123_000_000, recent: 60 }) }
    const running = await ask({ route: 'console-batch' }, {}, { reports })
    expect(running.page).contain('60 of 100').and.contain('1.23').and.contain('>Cancel</button>')
    expect(running.page).contain(`batch=${ID}`).and.contain(`/${ID}/input?`).and.not.contain(`/${ID}/output?`)
    for (const page of [running.page, (await ask({ route: 'console-batches' })).page])
      expect(page).contain(`href="/console/requests?account=${ACCOUNT_ID}&amp;model=m&amp;since=30d">m<`)
    expect(running.page).contain(`href="/console?account=${ACCOUNT_ID}"`).and.contain(`data-id>${ID}</code>`)
    expect(running.page).contain('errors=1&amp;since=30d"><span class="error">10<')
    // 40 left, at 60 in 100 seconds.
    expect(running.page).contain(new Date(1_750_000_166_666).toISOString().slice(0, 16).replace('T', ' '))
    expect(running.page).not.contain('<a>').and.not.contain('<b>')
    expect(running.headers.refresh).equal('10')
    const problems = [{ code: 'invalid_json_line', line: 7, message: 'No JSON.', param: null }]
    batches.change(ID, { status: 'failed', failedAt: 1_750_000_100_000, errorFileId: 'file-2', problems })
    const ended = await ask({ route: 'console-batch', query: 'done=started' })
    expect(ended.page).contain('invalid_json_line').and.contain(`/${ID}/errors?`).and.not.contain('>Cancel</button>')
    expect(ended.page).not.contain('has begun')
    expect(ended.headers).not.have.property('refresh')
  })

  it('cancels after a question', async () => {
    add()
    const token = `csrf_token=${formToken('good')}`
    const cancel = (text: string) => ask({ route: 'console-batch-cancel', form: text, headers: HIDDEN })
    expect((await cancel('csrf_token=x')).status).equal(403)
    const asked = await cancel(token)
    expect(asked.status).equal(200)
    expect(asked.page).contain('name="confirmed" value="yes"')
    expect(batches.all[0]!.status).equal('in_progress')
    expect((await cancel(`${token}&confirmed=yes`)).headers.location).match(/done=cancelled$/)
    expect(batches.all[0]!.status).equal('cancelling')
  })

  it('downloads the files of a batch', async () => {
    add({ status: 'completed', outputFileId: 'file-2' })
    const get = (file: string, batch_id = ID) => ask({ route: 'console-batch-file', params: { batch_id, file } })
    const output = await get('output')
    expect(output.status).equal(200)
    expect(output.headers['content-disposition']).equal(`attachment; filename="${ID}-output.jsonl"`)
    for (const file of ['errors', 'results', 'constructor', 'x']) expect((await get(file)).status, file).equal(404)
    const message = `msg${ID}`
    add({ id: message, api: 'anthropic', status: 'completed' })
    expect((await get('results', message)).status).equal(200)
  })

  it('has nothing of other users, of plans without batches, and of malformed ids', async () => {
    add({ owner: 'another' })
    for (const batch_id of [ID, 'batch_x', '../x']) {
      const unknown = await ask({ route: 'console-batch', params: { batch_id } })
      expect(unknown).include({ status: 404 })
      expect(unknown.page).contain('<a href="/console/batches">All batches</a>')
    }
    expect((await ask({ route: 'console-batches' }, { plan: 'none' })).page).contain('None of your accounts has')
    expect((await ask({ route: 'console-batches', query: 'account=x' })).status).equal(404)
    expect((await ask({ route: 'console-batches' }, { plan: 'none' })).page).not.contain('href="/console/batches"')
  })

  it('shows and cancels those of an account whose plan has lost them, without the form', async () => {
    add({ status: 'completed', outputFileId: 'file-2' })
    const list = await ask({ route: 'console-batches' }, { plan: 'none' })
    expect(list.status).equal(200)
    expect(list.page).contain(ID).and.contain('href="/console/batches"')
    expect(list.page).contain('no new one can be started').and.not.contain('New batch')
    expect((await ask({ route: 'console-batch' }, { plan: 'none' })).page).contain('/output')
    const file = await ask({ route: 'console-batch-file', params: { batch_id: ID, file: 'output' } }, { plan: 'none' })
    expect(file.status).equal(200)
    const started = await send(form(FIELDS), { plan: 'none' })
    expect(started.status).equal(403)
    expect(started.page).match(/role="status">The plan of this account has no batches/)
    expect([store.kept, batches.all.length]).deep.equal([[], 1])
  })
})
