/** What uploaded files are to the rest of the gateway. */
import type { Readable } from 'node:stream'
import type { ImageType } from './image-type.ts'

/** What is known of a file beside its bytes. */
export interface StoredFile {
  /** `file-` and 32 hex digits. Of two files of an owner the later one has the greater id. */
  readonly id: string
  readonly bytes: number
  readonly type: ImageType
  /** As the client named it. Never part of a path. */
  readonly filename: string
  readonly purpose: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly expiresAt: number
}

/** What the client says of a file. */
export interface Described {
  readonly filename: string
  readonly purpose: string
  /** How long it is to be kept, if shorter than all are. */
  readonly seconds: number | undefined
}

/** Takes the bytes of a file. Refuses what is too large or no image. */
export type Save = (bytes: Readable) => Promise<void>

/** `owner` is what fileOwner() says of a key. Nobody sees another owner's files: to each of them those do not exist. */
export interface Files {
  readonly maxBytes: number
  /**
   * Stores a file. `receive` hands its bytes to `save`, once, and then says what it is. `announced`: the most bytes that
   * can come. Whatever fails, nothing of it is left.
   */
  create(owner: string, announced: number, receive: (save: Save) => Promise<Described>): Promise<StoredFile>
  /** Oldest first. */
  list(owner: string): Promise<readonly StoredFile[]>
  /** undefined: the owner has no such file, or not any more. */
  find(owner: string, id: string): Promise<StoredFile | undefined>
  /** The bytes of a file that find() has shown. */
  content(owner: string, file: StoredFile): Promise<Buffer | undefined>
  /** The same piece by piece, for a file that may be gone by then. Nothing is open before it is read. */
  stream(owner: string, file: StoredFile): Readable
  /** False: there was none. Its bytes are gone from the disk when this resolves. */
  remove(owner: string, id: string): Promise<boolean>
}
