import type { FilesConfig } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import type { StoredFile } from './files.ts'

interface Pending {
  files: number
  bytes: number
}

/** Limits the files of a user, including uploads of this process that are in progress. */
export class UploadQuota {
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #pending = new Map<string, Pending>()

  constructor(config: Pick<FilesConfig, 'max_total_bytes_per_user' | 'max_files_per_user'>) {
    this.#maxBytes = config.max_total_bytes_per_user
    this.#maxFiles = config.max_files_per_user
  }

  /** Reserves quota until the result is disposed, or refuses. `stored`: lists the owner's files. */
  async reserve(owner: string, bytes: number, stored: () => Promise<readonly StoredFile[]>): Promise<Disposable> {
    const pending = this.#pending.get(owner) ?? { files: 0, bytes: 0 }
    this.#pending.set(owner, pending)
    pending.files++
    pending.bytes += bytes
    const reservation = {
      [Symbol.dispose]: () => {
        pending.files--
        pending.bytes -= bytes
        if (pending.files === 0) this.#pending.delete(owner)
      },
    }
    try {
      const files = await stored()
      const total = files.reduce((sum, file) => sum + file.bytes, pending.bytes)
      if (files.length + pending.files > this.#maxFiles) refuse(`A user may have ${this.#maxFiles} files.`)
      if (total > this.#maxBytes) refuse(`The files of a user may take ${this.#maxBytes} bytes in all.`)
      return reservation
    } catch (thrown) {
      reservation[Symbol.dispose]()
      throw thrown
    }
  }
}

function refuse(problem: string): never {
  fail('http_400', { problem: `${problem} Delete some first.` }, { param: 'file', ownParam: true })
}
