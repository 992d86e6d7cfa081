/** Uploaded files: their metadata, the interface of their store, and the types of images. */
import type { Readable } from 'node:stream'

/** The purpose of an uploaded file with lines of a batch. */
export const BATCH_PURPOSE = 'batch'
/** The purpose of a result file. The gateway creates it. */
export const BATCH_OUTPUT_PURPOSE = 'batch_output'
/** The purpose of the lines of a batch of the Messages API. Its file is in no list, and clients cannot find it. */
export const HIDDEN_PURPOSE = 'message_batch'

/** The type of files with JSON lines. */
export const JSON_LINES = 'application/jsonl'

export type FileType = ImageType | typeof JSON_LINES

/** The metadata of a file. */
export interface StoredFile {
  /** `file-` and 32 hex digits. A later file of an owner has a greater id. */
  readonly id: string
  readonly bytes: number
  readonly type: FileType
  /** Name from the client. Never part of a path. */
  readonly filename: string
  readonly purpose: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Its bytes and its name are encrypted on the disk. */
  readonly sealed?: true
}

/** The metadata that the client sends. */
export interface UploadMetadata {
  readonly filename: string
  readonly purpose: string
  /** Requested time to live. The configured one is the maximum. */
  readonly seconds: number | undefined
  /** Id of the owner's account, which removeFilesOf() looks for. */
  readonly account?: string
}

/**
 * Stores the bytes of a file. Refuses a file that is too large for its purpose, or that must be an image and is none.
 * undefined for `purpose`: it is not known yet; create() then checks the file against that of the metadata.
 */
export type Save = (bytes: Readable, purpose?: string) => Promise<void>

/** `owner`: see fileOwner(). The files of other owners are not found. */
export interface Files {
  /** Maximum size of a file, whatever its purpose. */
  readonly maxBytes: number
  /**
   * Stores a file. `receive` passes its bytes to `save`, once, and resolves with the metadata. `announced`: maximum
   * number of bytes, reserved during the upload. Removes the bytes if any step fails.
   */
  create(owner: string, announced: number, receive: (save: Save) => Promise<UploadMetadata>): Promise<StoredFile>
  /** Oldest first, without hidden ones. */
  list(owner: string): Promise<readonly StoredFile[]>
  /** undefined: the owner has no such file, or it is hidden or has expired. */
  find(owner: string, id: string): Promise<StoredFile | undefined>
  /** The bytes of a file that find() returned. undefined: the file was removed. */
  content(owner: string, file: StoredFile): Promise<Buffer | undefined>
  /** The bytes as a stream. The stream opens the file when it is read, and fails if the file was removed. */
  stream(owner: string, file: StoredFile): Readable
  /** Resolves when the bytes are removed from the disk. False: there is no such file. */
  remove(owner: string, id: string): Promise<boolean>
}

/** The metadata of a file that the gateway creates. */
export interface NewFile {
  /** Made by newFileId(). A file of this id that exists is returned as it is. Default: a new one. */
  readonly id?: string
  readonly filename: string
  readonly purpose: string
  readonly account: string
  /** Time to live. The configured one is the maximum. Default: that one. */
  readonly seconds?: number | undefined
}

/** Reads any range of a file. */
export interface RangeReader {
  /** Shorter at the end of the file. Rejects if the bytes were changed on the disk. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The type according to the first bytes, not to the client. undefined: no supported image. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp'
  return undefined
}

const MAX_NAME_LENGTH = 255

/**
 * The name that a file is stored with. Without control characters and slashes, because programs of the owner may print
 * the name or use it as a path.
 */
export function storedName(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}/\\]/gu, '')
    .slice(0, MAX_NAME_LENGTH)
  return name === '' ? 'upload' : name
}
