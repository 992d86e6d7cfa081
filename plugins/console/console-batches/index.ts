import type { Readable } from 'node:stream'
import {
  BATCH_APIS,
  BATCH_PURPOSE,
  type Batch,
  type Batches,
  CONFIRMED,
  confirmForm,
  doneNote,
  FORM_BYTES,
  fileOwner,
  type Html,
  hasEnded,
  html,
  type OwnAccount,
  type Save,
} from '../../../lib/console.ts'
import { definePlugin, filesInTime, GatewayError, type HeadersPhase, type Services } from '../../../lib/plugin.ts'
import { readForm } from '../form.ts'
import { PERSONAL_FILE, replyPage, replySeeOther, withNote } from '../page.ts'
import { batchAccounts, isOwnForm, planHasBatches, requireVisitor, STALE_FORM } from '../sign-in.ts'
import { type Visitor, visitorKey } from '../visitor.ts'
import { batchPage } from './batch-page.ts'
import { batchListPage, FILE_ENDPOINTS, type ListedBatch, NO_NEW_BATCHES, PATH } from './list-page.ts'
import { expectedEndOf, RATE_MS } from './parts.ts'
import { FormProblem, readUpload } from './upload.ts'

const PAGE_ROWS = 20
/** Seconds after which the page of a batch that runs loads again. */
const REFRESH_SECONDS = 10
const BATCH_ID = /^(msg)?batch_[0-9a-f]{24}$/
/** The part of an id by which batches of both APIs are ordered. */
const ORDER = /^[0-9a-f]{24}$/

/** What the pages of one user in one account need. */
interface Context {
  readonly services: Services
  readonly exchange: HeadersPhase
  readonly visitor: Visitor
  readonly batches: Batches
  readonly accounts: readonly OwnAccount[]
  readonly account: OwnAccount
  readonly owner: string
}

export default definePlugin({
  name: 'console-batches',
  summary: "The console's pages of batches: lists, starts and cancels those of the user, with their files.",
  routes: {
    route: ['console-batches', 'console-batch-start', 'console-batch', 'console-batch-cancel', 'console-batch-file'],
  },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const accounts = await batchAccounts(services, visitor)
      const id = new URLSearchParams(exchange.query).get('account')
      const account = id === null ? accounts[0] : accounts.find(one => one.id === id)
      const { batches } = services
      if (batches === null || account === undefined) {
        const note = id === null ? 'None of your accounts has batches.' : 'You have no such account with batches.'
        return replyPage(exchange, visitor, { title: 'Batches', body: withNote(note, html``, 404), path: PATH }, 404)
      }
      const owner = fileOwner(visitorKey(visitor, account))!
      const context = { services, exchange, visitor, batches, accounts, account, owner }
      switch (exchange.route.name) {
        case 'console-batches':
          return replyList(context)
        case 'console-batch-start':
          return create(context)
        case 'console-batch':
          return replyBatch(context)
        case 'console-batch-cancel':
          return cancel(context)
        default:
          return replyFile(context)
      }
    },
  }),
})

function reply({ exchange, visitor }: Context, title: string, body: Html, status = 200): void {
  replyPage(exchange, visitor, { title, body, path: PATH }, status)
}

/** `problem`: why the form has started no batch. */
async function replyList(context: Context, problem: FormProblem | null = null, sent = new URLSearchParams()) {
  const { services, exchange, visitor, accounts, account } = context
  const before = new URLSearchParams(exchange.query).get('before') ?? ''
  const { shown, next } = await pageOf(context, ORDER.test(before) ? before : undefined)
  const { config } = services
  const limits = config.batches!
  const mayStart = planHasBatches(config, account)
  const refusal = problem === null ? null : { field: problem.field, text: problem.message }
  const body = batchListPage({ visitor, accounts, account, limits, mayStart, listed: shown, next, sent, refusal })
  const status = problem?.status ?? 200
  reply(context, 'Batches', withNote(problem?.message ?? null, body, status), status)
}

/** A page of the batches of both APIs, newest first. */
async function pageOf(context: Context, before: string | undefined) {
  const { batches, owner } = context
  const lists = await Promise.all(
    BATCH_APIS.map(api => {
      const after = before === undefined ? null : { after: `${api === 'openai' ? '' : 'msg'}batch_${before}` }
      return batches.list(owner, { api, limit: PAGE_ROWS, ...after })
    }),
  )
  const all = lists.flatMap(list => list.batches).toSorted((a, b) => (orderOf(a) > orderOf(b) ? -1 : 1))
  const page = all.slice(0, PAGE_ROWS)
  const hasMore = all.length > PAGE_ROWS || lists.some(list => list.hasMore)
  const listed = page.map(async (batch): Promise<ListedBatch> => {
    return { batch, expectedEnd: hasEnded(batch.status) ? null : (await factsOf(context, batch)).expectedEnd }
  })
  return { shown: await Promise.all(listed), next: hasMore ? orderOf(page.at(-1)!) : null }
}

function orderOf({ id }: Batch): string {
  return id.slice(id.indexOf('_') + 1)
}

async function factsOf({ services: { reports, clock } }: Context, batch: Batch) {
  const now = clock.now()
  const { cost, recent } = await reports.batch(batch.id, (now - RATE_MS) * 1000)
  return { cost, expectedEnd: expectedEndOf(batch, recent, now) }
}

async function create(context: Context): Promise<void> {
  const { services, exchange, visitor, batches, account, owner } = context
  const { config, files } = services
  const limit = config.batches!.max_file_bytes + FORM_BYTES
  const { 'content-type': type, 'content-length': length } = exchange.headers
  let fields = new URLSearchParams()
  const check = (given: URLSearchParams) => {
    fields = given
    if (!isOwnForm(visitor, given)) throw new FormProblem(403, STALE_FORM)
    if (!FILE_ENDPOINTS.some(endpoint => endpoint === given.get('endpoint')))
      throw new FormProblem(422, 'Choose an endpoint.')
    if (!config.batches!.windows.includes(given.get('window') ?? '')) throw new FormProblem(422, 'Choose a time.')
  }
  const receive = async (save: Save) => {
    const feed = (sink: Parameters<typeof exchange.feedBody>[0]) => exchange.feedBody(sink, limit)
    const { filename } = await readUpload(type, feed, check, (file: Readable) => save(file, BATCH_PURPOSE))
    return { filename, purpose: BATCH_PURPOSE, account: account.id, seconds: undefined }
  }
  try {
    if (!planHasBatches(config, account)) throw new FormProblem(403, NO_NEW_BATCHES)
    if (account.zdrRequired) throw new FormProblem(400, 'Zero data retention is required in this account.')
    const file = await files.create(owner, length === undefined ? limit : Number(length), receive)
    const endpoint = FILE_ENDPOINTS.find(one => one === fields.get('endpoint'))!
    const batch = await batches
      .create(visitorKey(visitor, account), owner, {
        ...{ api: 'openai', endpoint, window: fields.get('window')! },
        ...{ metadata: null, outputExpiresSeconds: null, input: file.id },
      })
      .catch(async (error: unknown) => {
        await filesInTime(files.remove(owner, file.id)).catch(() => {})
        throw error
      })
    replySeeOther(exchange, `${PATH}/${batch.id}?account=${account.id}&done=started`)
  } catch (thrown) {
    const problem =
      thrown instanceof GatewayError && thrown.status < 500
        ? new FormProblem(thrown.status, thrown.message, 'file')
        : thrown
    if (!(problem instanceof FormProblem)) throw thrown
    await replyList(context, problem, fields)
  }
}

/** The batch of the path; undefined: the user has none with this id in the account. */
async function batchOf({ exchange, batches, owner }: Context): Promise<Batch | undefined> {
  const id = exchange.params.batch_id!
  if (!BATCH_ID.test(id)) return undefined
  return batches.find(owner, id.startsWith('msg') ? 'anthropic' : 'openai', id)
}

function replyUnknown(context: Context): void {
  const list = html`<p><a href="${PATH}">All batches</a></p>`
  reply(context, 'Batch', withNote('You have no such batch in this account.', list, 404), 404)
}

const NOTES: Readonly<Record<string, string>> = {
  started: 'The file is uploaded, and the batch has begun. This page loads again every ten seconds.',
  cancelled: 'The batch is being cancelled: nothing new is sent. What is done stays in the output file.',
}

async function replyBatch(context: Context, problem: string | null = null, status = 200): Promise<void> {
  const { services, exchange, visitor, account } = context
  const batch = await batchOf(context)
  if (batch === undefined) return replyUnknown(context)
  if (!hasEnded(batch.status)) exchange.setHeader('refresh', String(REFRESH_SECONDS))
  const { currency } = services.config
  const body = batchPage({ visitor, account, batch, currency, ...(await factsOf(context, batch)) })
  const note = NOTES[new URLSearchParams(exchange.query).get('done') ?? '']
  const shown = note === undefined || hasEnded(batch.status) ? null : doneNote(note)
  reply(context, `Batch ${batch.id}`, withNote(problem ?? shown, body, status), status)
}

async function cancel(context: Context): Promise<void> {
  const { exchange, visitor, batches, account, owner } = context
  const form = await readForm((sink, limit) => exchange.feedBody(sink, limit))
  if (!isOwnForm(visitor, form)) return replyBatch(context, STALE_FORM, 403)
  const batch = await batchOf(context)
  if (batch === undefined) return replyUnknown(context)
  const page = `${PATH}/${batch.id}?account=${account.id}`
  if (!form.has(CONFIRMED)) {
    const text = 'Nothing new is sent. What is done stays in the output file, and is charged. You cannot undo this.'
    const action = `${PATH}/${batch.id}/cancel?account=${account.id}`
    const body = confirmForm({ text, action, button: 'Cancel the batch', cancel: page, keep: 'Keep it running', form })
    return reply(context, `Cancel ${batch.id}?`, body)
  }
  await batches.cancel(owner, batch.api, batch.id)
  replySeeOther(exchange, `${page}&done=cancelled`)
}

async function replyFile(context: Context): Promise<void> {
  const { exchange } = context
  const batch = await batchOf(context)
  const file = exchange.params.file!
  const bytes = batch && (await bytesOf(context, batch, file))
  if (bytes === undefined) return replyUnknown(context)
  for (const [name, value] of Object.entries(PERSONAL_FILE)) exchange.setHeader(name, value)
  exchange.setHeader('content-disposition', `attachment; filename="${batch!.id}-${file}.jsonl"`)
  exchange.reply(200, bytes, 'application/jsonl')
}

/** undefined: there is no such file. */
async function bytesOf(
  { services, batches, owner }: Context,
  batch: Batch,
  name: string,
): Promise<Readable | undefined> {
  if (name === 'results')
    return batch.api === 'anthropic' && hasEnded(batch.status) ? batches.results(owner, batch) : undefined
  const ids: Readonly<Record<string, string | null>> = {
    input: batch.inputFileId,
    output: batch.outputFileId,
    errors: batch.errorFileId,
  }
  const id = Object.hasOwn(ids, name) ? ids[name] : null
  const { files } = services
  const file = id === null || id === undefined ? undefined : await filesInTime(files.find(owner, id))
  return file && files.stream(owner, file)
}
