/** The folder of a batch, `<owner>/<batch id>`. Each process that runs lines of it appends to a part of its own. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { namesIn, syncDirectory } from './directory.ts'
import { openRecords, sealRecord } from './records.ts'
import type { Sealing } from './sealing.ts'

const PART = /^[A-Za-z0-9-]{1,100}\.part$/

interface Layout {
  readonly path: string
  /** The batch's id. */
  readonly place: string
  readonly sealing: Sealing | null
}

export class BatchFolder {
  readonly #layout: Layout
  /** Deletes the folder with all parts. False: there is none. */
  readonly remove: () => Promise<boolean>

  constructor(layout: Layout, remove: () => Promise<boolean>) {
    this.#layout = layout
    this.remove = remove
  }

  /** Names of the parts. None if there is no such folder. */
  async parts(): Promise<readonly string[]> {
    return (await namesIn(this.#layout.path)).filter(name => PART.test(name)).sort()
  }

  /** Creates a part, `NAME.part`. Rejects if it exists: its end may be torn, so nothing is appended to it. */
  async createPart(name: string): Promise<PartWriter> {
    const file = `${name}.part`
    if (!PART.test(file)) throw new Error(`not a name of a part: ${name}`)
    const handle = await open(join(this.#layout.path, file), 'ax', 0o600)
    await syncDirectory(this.#layout.path)
    return new PartWriter(handle, this.#layout)
  }

  /** The records of a part, in the order in which they were appended. Opens the file when it is read. */
  records(part: string): AsyncGenerator<Buffer> {
    const { path, place, sealing } = this.#layout
    return openRecords(createReadStream(join(path, part)), place, sealing)
  }
}

/** Appends to a part. One call at a time. */
export class PartWriter {
  readonly #file: FileHandle
  readonly #layout: Layout
  #size = 0
  /** Why the end of the part is unknown. Nothing is appended to it any more. */
  #broken: unknown

  constructor(file: FileHandle, layout: Layout) {
    this.#file = file
    this.#layout = layout
  }

  /** Resolves when the records are flushed. If it rejects, none of them is in the part. */
  async append(records: readonly Uint8Array[]): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken
    const { place, sealing } = this.#layout
    const bytes = Buffer.concat(records.map(record => sealRecord(record, place, sealing)))
    try {
      await this.#file.writeFile(bytes)
      await this.#file.datasync()
    } catch (error) {
      this.#broken = error
      await this.#file.truncate(this.#size)
      this.#broken = undefined
      throw error
    }
    this.#size += bytes.length
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
