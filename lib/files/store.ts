/**
 * Uploaded files in a directory (docs/adr/0015). Each file has a folder `<owner>/<id>` with its bytes and its metadata.
 * It is completed in `incoming` before, and moved back there before it is deleted, so that every process that shares
 * the directory sees a file completely or not at all.
 */
import { mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import { hexOfUuid, uuidv7 } from '../base/ids.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { StartError } from '../base/start-error.ts'
import type { FilesConfig } from '../config/config.ts'
import { encryptionKey } from '../config/encryption-key.ts'
import { type About, fileAbout, readAbout, toFile, writeAbout } from './about.ts'
import { BatchFolder } from './batch-folder.ts'
import { contentPieces, openContent, writeContent } from './content.ts'
import {
  BATCH,
  DELETED,
  deleteFolder,
  FILE,
  INCOMING,
  incomingFolder,
  namesIn,
  OWNER,
  putFolder,
  unlessMissing,
} from './directory.ts'
import {
  type Files,
  type FileType,
  HIDDEN_PURPOSE,
  JSON_LINES,
  type NewFile,
  type RangeReader,
  type Save,
  type StoredFile,
  type UploadMetadata,
} from './files.ts'
import { filesInTime } from './in-time.ts'
import { Sealing } from './sealing.ts'
import { Upload, type UploadLimits } from './upload.ts'
import { UploadQuota } from './upload-quota.ts'

const CONTENT = 'content'
/** Folders in `incoming` of this age are orphaned, because no upload lasts as long. */
const ORPHANED_MS = 24 * 3600 * 1000
const CONCURRENCY = 8
const DAY_MS = 24 * 3600 * 1000

/** The files in a directory, those of clients and those of batches. */
export class FileStore implements Files {
  readonly #path: string
  readonly #limits: () => UploadLimits
  readonly #retentionMs: number
  readonly #quota: UploadQuota
  readonly #sealing: Sealing | null
  readonly #clock: Clock

  /** `maxBatchBytes`: undefined: no files of batches are uploaded. Throws StartError if the directory is unusable. */
  constructor(config: FilesConfig, clock: Clock, maxBatchBytes: () => number | undefined = () => undefined) {
    this.#path = config.path
    this.#limits = () => ({ image: config.max_bytes, batch: maxBatchBytes() })
    this.#retentionMs = config.retention_days * DAY_MS
    this.#quota = new UploadQuota(config)
    this.#sealing = config.encryption_key === undefined ? null : new Sealing(encryptionKey(config.encryption_key)!)
    this.#clock = clock
    try {
      makeDirectory(join(config.path, INCOMING), 0o700)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const problem = `uploaded files cannot be kept in ${config.path}: a writable directory is needed (${why})`
      throw new StartError(problem, { cause })
    }
  }

  get maxBytes(): number {
    const { image, batch = 0 } = this.#limits()
    return Math.max(image, batch)
  }

  async create(
    owner: string,
    announced: number,
    receive: (save: Save) => Promise<UploadMetadata>,
  ): Promise<StoredFile> {
    using _ = await this.#quota.reserve(owner, Math.min(announced, this.maxBytes), () => filesInTime(this.list(owner)))
    return await this.#store(owner, newFileId(this.#clock.now()), async write => {
      const upload = new Upload(this.#limits())
      let isSaved = false
      const metadata = await receive(async (bytes, purpose) => {
        await write(upload.pass(bytes, purpose))
        isSaved = true
      })
      if (!isSaved) throw new Error('receive() resolved without passing bytes to save()')
      return { ...metadata, type: upload.typeFor(metadata.purpose) }
    })
  }

  /** Stores JSON lines of the gateway, whatever the user's quota. Resolves when they would survive a power failure. */
  async createFrom(owner: string, file: NewFile, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const { id = newFileId(this.#clock.now()), filename, purpose, account, seconds } = file
    return (
      (await this.findAny(owner, id)) ??
      this.#store(owner, id, async write => {
        await write(bytes)
        return { filename, purpose, account, seconds, type: JSON_LINES }
      })
    )
  }

  async list(owner: string): Promise<readonly StoredFile[]> {
    const ids = (await namesIn(join(this.#path, owner))).filter(name => FILE.test(name)).sort()
    const files: StoredFile[] = []
    for (let i = 0; i < ids.length; i += CONCURRENCY) {
      const some = await Promise.all(ids.slice(i, i + CONCURRENCY).map(id => this.find(owner, id)))
      for (const file of some) if (file !== undefined) files.push(file)
    }
    return files
  }

  async find(owner: string, id: string): Promise<StoredFile | undefined> {
    const file = await this.findAny(owner, id)
    if (file === undefined || file.purpose === HIDDEN_PURPOSE || file.expiresAt <= this.#clock.now()) return undefined
    return file
  }

  /** Also a hidden one, and one that has expired while a batch needs it. */
  async findAny(owner: string, id: string): Promise<StoredFile | undefined> {
    // The id is the only input of a client that becomes part of a path.
    if (!FILE.test(id)) return undefined
    const about = await readAbout(join(this.#path, owner, id))
    return about && toFile(about, this.#sealing)
  }

  async content(owner: string, file: StoredFile): Promise<Buffer | undefined> {
    const reader = await unlessMissing(this.openForRanges(owner, file))
    try {
      return await reader?.read(0, file.bytes)
    } finally {
      await reader?.close()
    }
  }

  stream(owner: string, file: StoredFile): Readable {
    return Readable.from(
      contentPieces(() => this.openForRanges(owner, file), file.bytes),
      { objectMode: false },
    )
  }

  openForRanges(owner: string, { id, bytes, sealed }: StoredFile): Promise<RangeReader> {
    const layout = { path: join(this.#path, owner, id, CONTENT), place: `${owner}/${id}`, sealing: this.#sealing }
    return openContent(layout, bytes, sealed === true)
  }

  /** Creates the folder of a batch, unless it exists. After `expiresAt` it is deleted. */
  async createFolder(owner: string, batch: string, about: About & { readonly account: string }): Promise<BatchFolder> {
    const folder = incomingFolder(this.#path, batch)
    try {
      await mkdir(folder, { mode: 0o700 })
      await writeAbout(folder, { account: about.account, expiresAt: about.expiresAt })
      await putFolder(folder, this.#pathOf(owner, batch))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return this.folder(owner, batch)
  }

  /** The folder of a batch. It has no parts if it does not exist. */
  folder(owner: string, batch: string): BatchFolder {
    const layout = { path: this.#pathOf(owner, batch), place: batch, sealing: this.#sealing }
    return new BatchFolder(layout, () => this.#delete(owner, batch))
  }

  async remove(owner: string, id: string): Promise<boolean> {
    if ((await this.find(owner, id)) === undefined) return false
    return this.#delete(owner, id)
  }

  /** Also a hidden one. */
  async removeAny(owner: string, id: string): Promise<boolean> {
    return FILE.test(id) && this.#delete(owner, id)
  }

  /**
   * Deletes expired files and orphaned folders until `stop` is aborted. Several processes may do so at once.
   * `needed`: ids of files that stay after their expiry.
   */
  async sweep(stop: AbortSignal, needed: ReadonlySet<string> = new Set()): Promise<void> {
    const now = this.#clock.now()
    for (const name of await namesIn(join(this.#path, INCOMING))) {
      const folder = join(this.#path, INCOMING, name)
      const since = (await unlessMissing(stat(folder)))?.mtimeMs ?? now
      if (name.endsWith(DELETED) || since < now - ORPHANED_MS) await rm(folder, { recursive: true, force: true })
    }
    for (const owner of (await namesIn(this.#path)).filter(name => OWNER.test(name))) {
      for (const id of (await namesIn(join(this.#path, owner))).filter(name => FILE.test(name) || BATCH.test(name))) {
        if (stop.aborted) return
        const about = await readAbout(join(this.#path, owner, id))
        if (about === undefined || (about.expiresAt <= now && !needed.has(id))) await this.#delete(owner, id)
      }
      // Fails if the folder is not empty. The next upload creates a removed folder again.
      await rmdir(join(this.#path, owner)).catch(() => {})
    }
  }

  /** Writes a file in `incoming` and moves it to its owner. `fill` writes the bytes. Removes them if any step fails. */
  async #store(
    owner: string,
    id: string,
    fill: (write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<UploadMetadata & { type: FileType }>,
  ): Promise<StoredFile> {
    const createdAt = this.#clock.now()
    const sealing = this.#sealing
    const folder = incomingFolder(this.#path, id)
    try {
      await filesInTime(mkdir(folder, { mode: 0o700 }))
      let size = 0
      const layout = { path: join(folder, CONTENT), place: `${owner}/${id}`, sealing }
      const { filename, purpose, seconds, account, type } = await fill(async bytes => {
        size = await writeContent(bytes, layout)
      })
      const keptMs = Math.min(this.#retentionMs, seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000)
      const expiresAt = createdAt + keptMs
      const plain = { id, bytes: size, type, filename, purpose, createdAt, expiresAt }
      const file: StoredFile = sealing === null ? plain : { ...plain, sealed: true }
      await filesInTime(
        writeAbout(folder, fileAbout(file, account, sealing)).then(() => putFolder(folder, this.#pathOf(owner, id))),
      )
      return file
    } finally {
      // If this fails, sweep() removes the folder.
      await filesInTime(rm(folder, { recursive: true, force: true })).catch(() => {})
    }
  }

  /** False: another process removed the folder first. */
  #delete(owner: string, name: string): Promise<boolean> {
    return deleteFolder(this.#path, this.#pathOf(owner, name))
  }

  #pathOf(owner: string, name: string): string {
    return join(this.#path, owner, name)
  }
}

/** The id of a file, which sorts behind the ids of earlier ones. */
export function newFileId(now: number): string {
  return `file-${hexOfUuid(uuidv7(now))}`
}

/** Removes expired files that no batch needs at once and then every hour. Returns a function that stops it. */
export function keepFiles(
  store: Pick<FileStore, 'sweep'>,
  needed: () => Promise<ReadonlySet<string>>,
  log: Logger,
): () => Promise<void> {
  return hourly(
    async stopping => store.sweep(stopping, await needed()),
    err => log.warn({ err }, 'expired files could not be removed: tried again later'),
  )
}
