import { once } from 'node:events'
import {
  type Files,
  FORM_BYTES,
  fileOwner,
  queryReader,
  type Save,
  type StoredFile,
  type UploadMetadata,
} from '../../../lib/console.ts'
import { definePlugin, fail, filesInTime, type HeadersPhase, type JsonObject, readSchema } from '../../../lib/plugin.ts'
import { key, zdr } from '../../slots.ts'
import { readForm } from './form.ts'
import { describeFile } from './upload.ts'

type Exchange = HeadersPhase<typeof key, never, typeof zdr>

/** A query that schemas/queries/file-list.json accepts, with its defaults. */
interface ListQuery {
  readonly after?: string
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly purpose?: string
}

export default definePlugin({
  name: 'files',
  summary: 'Answers the Files API: images that requests refer to by file_id, and files of batches.',
  routes: { route: ['file-upload', 'file-list', 'file', 'file-content', 'file-delete'] },
  needs: [key],
  wants: [zdr],
  after: ['rate-limit'],

  setup(_options, { config, files, batches }) {
    const readList = queryReader<ListQuery>(readSchema('queries/file-list'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const owner = fileOwner(exchange.get(key)) ?? fail('files_require_user_key', {})
        const { file_id: id = '' } = exchange.params
        switch (exchange.route.name) {
          case 'file-upload':
            return exchange.reply(200, fileObject(await upload(exchange, files, owner, config.batches !== undefined)))
          case 'file-list': {
            const query = readList(exchange.query)
            return exchange.reply(200, listOf(await filesInTime(files.list(owner)), query))
          }
          case 'file':
            return exchange.reply(200, fileObject((await filesInTime(files.find(owner, id))) ?? unknown()))
          case 'file-content':
            return download(exchange, files, owner, id)
          default:
            // A request that finds no file changes nothing: batches that read an expired one go on.
            if ((await filesInTime(files.find(owner, id))) === undefined) unknown()
            await batches?.inputRemoved(owner, id)
            if (!(await filesInTime(files.remove(owner, id)))) unknown()
            return exchange.reply(200, { id, object: 'file', deleted: true })
        }
      },
    }
  },
})

function upload(exchange: Exchange, files: Files, owner: string, hasBatches: boolean): Promise<StoredFile> {
  // An upload is stored, which contradicts zero data retention.
  if ((exchange.find(zdr) ?? null) !== null) {
    fail('http_400', { problem: 'A file cannot be uploaded where zero data retention is required: it would be kept.' })
  }
  const limit = files.maxBytes + FORM_BYTES
  const { 'content-type': type, 'content-length': length } = exchange.headers
  const receive = async (save: Save): Promise<UploadMetadata> => {
    const form = await readForm(type, sink => exchange.feedBody(sink, limit), save)
    return { ...describeFile(form, hasBatches), account: exchange.get(key).account.id }
  }
  return files.create(owner, length === undefined ? limit : Number(length), receive)
}

async function download(exchange: Exchange, files: Files, owner: string, id: string): Promise<void> {
  const file = (await filesInTime(files.find(owner, id))) ?? unknown()
  const content = files.stream(owner, file)
  // A file that cannot be read is an error, as long as nothing was sent.
  await filesInTime(once(content, 'readable'))
  exchange.setHeader('content-length', String(file.bytes))
  // The bytes may be valid HTML, too: a browser must not show them as a page of this host.
  exchange.setHeader('content-disposition', 'attachment')
  exchange.setHeader('x-content-type-options', 'nosniff')
  exchange.reply(200, content, file.type)
}

/** The error for a file of another owner, too, so that it reveals nothing. */
function unknown(): never {
  fail('http_404', { problem: 'There is no such file.' })
}

/** One page of an owner's files, which are sorted oldest first. `after` may be a file that has been deleted. */
function listOf(files: readonly StoredFile[], { after, limit, order, purpose }: ListQuery): JsonObject {
  const sorted = order === 'asc' ? files : files.toReversed()
  const isAfter = ({ id }: StoredFile) => after === undefined || (order === 'asc' ? id > after : id < after)
  const rest = sorted.filter(file => isAfter(file) && (purpose === undefined || file.purpose === purpose))
  const data = rest.slice(0, limit)
  return {
    object: 'list',
    data: data.map(fileObject),
    has_more: rest.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** A file as OpenAI's Files API represents it. */
function fileObject({ id, bytes, createdAt, expiresAt, filename, purpose }: StoredFile): JsonObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(createdAt / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    filename,
    purpose,
    status: 'processed',
  }
}
