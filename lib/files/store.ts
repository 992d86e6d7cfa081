/**
 * Uploaded files in a directory (docs/adr/0015). Each file has a folder `<owner>/<id>` with its bytes and its metadata.
 * It is completed in `incoming` before, and moved back there before it is deleted, so that every process that shares
 * the directory sees a file completely or not at all.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import { hexOfUuid, uuidv7 } from '../base/ids.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { StartError } from '../base/start-error.ts'
import type { FilesConfig } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import { type Files, type ImageType, imageType, type Save, type StoredFile, type UploadMetadata } from './files.ts'
import { filesInTime } from './in-time.ts'
import { ownerOf } from './owner.ts'
import { UploadQuota } from './upload-quota.ts'

const INCOMING = 'incoming'
const CONTENT = 'content'
const METADATA = 'about.json'
const DELETED = '.deleted'
const OWNER = /^[0-9a-f]{32}$/
const ID = /^file-[0-9a-f]{32}$/
/** Folders in `incoming` of this age are orphaned, because no upload lasts as long. */
const ORPHANED_MS = 24 * 3600 * 1000
const CONCURRENCY = 8
const DAY_MS = 24 * 3600 * 1000

export class FileStore implements Files {
  readonly maxBytes: number
  readonly #path: string
  readonly #retentionMs: number
  readonly #quota: UploadQuota
  readonly #clock: Clock

  /** Throws StartError if the directory cannot be used. */
  constructor(config: FilesConfig, clock: Clock) {
    this.maxBytes = config.max_bytes
    this.#path = config.path
    this.#retentionMs = config.retention_days * DAY_MS
    this.#quota = new UploadQuota(config)
    this.#clock = clock
    try {
      makeDirectory(join(config.path, INCOMING), 0o700)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const problem = `uploaded files cannot be kept in ${config.path}: a writable directory is needed (${why})`
      throw new StartError(problem, { cause })
    }
  }

  async create(
    owner: string,
    announced: number,
    receive: (save: Save) => Promise<UploadMetadata>,
  ): Promise<StoredFile> {
    using _ = await this.#quota.reserve(owner, Math.min(announced, this.maxBytes), () => filesInTime(this.list(owner)))
    const createdAt = this.#clock.now()
    const id = `file-${hexOfUuid(uuidv7(createdAt))}`
    const folder = join(this.#path, INCOMING, id)
    try {
      await filesInTime(mkdir(folder, { mode: 0o700 }))
      const saved: { as?: Awaited<ReturnType<typeof saveImage>> } = {}
      const { filename, purpose, seconds, account } = await receive(async bytes => {
        saved.as = await saveImage(bytes, join(folder, CONTENT), this.maxBytes)
      })
      if (saved.as === undefined) throw new Error('receive() resolved without passing bytes to save()')
      const keptMs = Math.min(this.#retentionMs, seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000)
      const file = { id, ...saved.as, filename, purpose, createdAt, expiresAt: createdAt + keptMs }
      await filesInTime(this.#put(folder, owner, file, account))
      return file
    } finally {
      // If this fails, sweep() removes the folder.
      await filesInTime(rm(folder, { recursive: true, force: true })).catch(() => {})
    }
  }

  async list(owner: string): Promise<readonly StoredFile[]> {
    const ids = (await namesIn(join(this.#path, owner))).filter(name => ID.test(name)).sort()
    const files: StoredFile[] = []
    for (let i = 0; i < ids.length; i += CONCURRENCY) {
      const some = await Promise.all(ids.slice(i, i + CONCURRENCY).map(id => this.find(owner, id)))
      for (const file of some) if (file !== undefined) files.push(file)
    }
    return files
  }

  async find(owner: string, id: string): Promise<StoredFile | undefined> {
    // The id is the only input of a client that becomes part of a path.
    if (!ID.test(id)) return undefined
    const file = toFile(await unlessMissing(readFile(join(this.#path, owner, id, METADATA), 'utf8')))
    return file === undefined || file.expiresAt <= this.#clock.now() ? undefined : file
  }

  async content(owner: string, { id, bytes }: StoredFile): Promise<Buffer | undefined> {
    const content = await unlessMissing(readFile(join(this.#path, owner, id, CONTENT)))
    if (content !== undefined && content.length !== bytes)
      throw new Error('an uploaded file has lost some of its bytes')
    return content
  }

  stream(owner: string, { id }: StoredFile): Readable {
    return Readable.from(piecesOf(join(this.#path, owner, id, CONTENT)), { objectMode: false })
  }

  async remove(owner: string, id: string): Promise<boolean> {
    if ((await this.find(owner, id)) === undefined) return false
    return this.#delete(owner, id)
  }

  /** Deletes expired files and orphaned folders until `stop` is aborted. Several processes may do so at once. */
  async sweep(stop: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    for (const name of await namesIn(join(this.#path, INCOMING))) {
      const folder = join(this.#path, INCOMING, name)
      const since = (await unlessMissing(stat(folder)))?.mtimeMs ?? now
      if (name.endsWith(DELETED) || since < now - ORPHANED_MS) await rm(folder, { recursive: true, force: true })
    }
    for (const owner of (await namesIn(this.#path)).filter(name => OWNER.test(name))) {
      for (const id of (await namesIn(join(this.#path, owner))).filter(name => ID.test(name))) {
        if (stop.aborted) return
        if ((await this.find(owner, id)) === undefined) await this.#delete(owner, id)
      }
      // Fails if the folder is not empty. The next upload creates a removed folder again.
      await rmdir(join(this.#path, owner)).catch(() => {})
    }
  }

  async #put(folder: string, owner: string, file: StoredFile, account: string | undefined): Promise<void> {
    await writeWhole(join(folder, METADATA), JSON.stringify({ ...file, account }))
    const path = join(this.#path, owner, file.id)
    for (let tries = 1; ; tries++) {
      await mkdir(join(this.#path, owner), { recursive: true, mode: 0o700 })
      try {
        return await rename(folder, path)
      } catch (error) {
        // sweep() has just removed the owner's empty folder.
        if (!isMissing(error) || tries === 3) throw error
      }
    }
  }

  /** False: another process removed the file first. */
  async #delete(owner: string, id: string): Promise<boolean> {
    const aside = join(this.#path, INCOMING, id + DELETED)
    const moved = await unlessMissing(rename(join(this.#path, owner, id), aside).then(() => true))
    if (moved === true) await rm(aside, { recursive: true, force: true })
    return moved === true
  }
}

/**
 * Removes all files of an account from the directory of a FileStore. Resolves when their bytes are off the disk.
 * `users`: owners of files that were stored without their account.
 */
export async function removeFilesOf(path: string, account: string, users: readonly string[]): Promise<void> {
  const owners = new Set(users.map(user => ownerOf(account, user)))
  for (const owner of (await namesIn(path)).filter(name => OWNER.test(name))) {
    const isOwn = owners.has(owner) || (await accountOf(join(path, owner))) === account
    if (!isOwn) continue
    const aside = join(path, INCOMING, `${owner}-${randomUUID()}${DELETED}`)
    const moved = await unlessMissing(rename(join(path, owner), aside).then(() => true))
    if (moved === true) await rm(aside, { recursive: true, force: true })
  }
}

/** The account of an owner, from the newest file. undefined: there is none, or it was stored without its account. */
async function accountOf(folder: string): Promise<Json | undefined> {
  const newest = (await namesIn(folder))
    .filter(name => ID.test(name))
    .toSorted()
    .at(-1)
  if (newest === undefined) return undefined
  const text = await unlessMissing(readFile(join(folder, newest, METADATA), 'utf8'))
  const value = text === undefined ? undefined : parseJson(text)
  return isObject(value) ? value.account : undefined
}

/** Removes expired files at once and then every hour. Returns a function that stops it. */
export function keepFiles(store: Pick<FileStore, 'sweep'>, log: Logger): () => Promise<void> {
  return hourly(
    stopping => store.sweep(stopping),
    err => log.warn({ err }, 'expired files could not be removed: tried again later'),
  )
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path)
  for await (const piece of file.createReadStream({ autoClose: false })) yield piece as Buffer
}

async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.datasync()
}

/** undefined: create() has not written this text. */
function toFile(text: string | undefined): StoredFile | undefined {
  const value = text === undefined ? undefined : parseJson(text)
  return isObject(value) && typeof value.expiresAt === 'number' ? (value as JsonObject & StoredFile) : undefined
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? []
}

/** undefined: the file does not exist. Another process may have deleted it. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Number of bytes that imageType() needs. */
const HEAD_BYTES = 12

/** Streams an image to a new file and flushes it. Refuses with 413 above `limit` bytes, with 422 if it is no image. */
async function saveImage(
  bytes: Readable,
  path: string,
  limit: number,
): Promise<{ readonly bytes: number; readonly type: ImageType }> {
  await using file = await open(path, 'wx', 0o600)
  let size = 0
  let head = Buffer.alloc(0)
  let type: ImageType | undefined
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limit) fail('request_body_too_large', { limit }, { param: 'file', ownParam: true })
    if (type === undefined) {
      head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES)])
      if (head.length >= HEAD_BYTES) type = imageType(head) ?? refuseType()
    }
    await file.writeFile(piece)
  }
  if (type === undefined) refuseType()
  await file.datasync()
  return { bytes: size, type }
}

function refuseType(): never {
  const problem = "'file' must be an image: PNG, JPEG, GIF or WebP."
  fail('schema_validation_failed', { problem }, { param: 'file', ownParam: true })
}
