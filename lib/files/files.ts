/** The interface of uploaded files. */
import type { Readable } from 'node:stream'
import type { ImageType } from './image-type.ts'

/** The metadata of a file. */
export interface StoredFile {
  /** `file-` and 32 hex digits. A later file of an owner has a greater id. */
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

/** The metadata that the client sends. */
export interface UploadMetadata {
  readonly filename: string
  readonly purpose: string
  /** Requested time to live; only effective if shorter than the configured one. */
  readonly seconds: number | undefined
}

/** Stores the bytes of a file. Refuses what is too large or not an image. */
export type Save = (bytes: Readable) => Promise<void>

/** `owner`: see fileOwner(). For an owner only its own files exist. */
export interface Files {
  readonly maxBytes: number
  /**
   * Stores a file. `receive` passes its bytes to `save`, once, and resolves with the metadata. `announced`: the most bytes
   * that it can have, which are reserved meanwhile. Removes the bytes if any step fails.
   */
  create(owner: string, announced: number, receive: (save: Save) => Promise<UploadMetadata>): Promise<StoredFile>
  /** Oldest first. */
  list(owner: string): Promise<readonly StoredFile[]>
  /** undefined: the owner has no such file, or it has expired. */
  find(owner: string, id: string): Promise<StoredFile | undefined>
  /** The bytes of a file that find() returned. */
  content(owner: string, file: StoredFile): Promise<Buffer | undefined>
  /** The bytes as a stream. The file is opened when the stream is read; it may be gone by then. */
  stream(owner: string, file: StoredFile): Readable
  /** Resolves when the bytes are removed from the disk; with false if there is no such file. */
  remove(owner: string, id: string): Promise<boolean>
}
