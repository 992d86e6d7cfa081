import type { FilesConfig } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import type { StoredFile } from './files.ts'

interface Coming {
  files: number
  bytes: number
}

/** Keeps a user's files within what one user may have, those included that are still on their way to this process. */
export class UploadQuota {
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #coming = new Map<string, Coming>()

  constructor(config: Pick<FilesConfig, 'max_total_bytes_per_user' | 'max_files_per_user'>) {
    this.#maxBytes = config.max_total_bytes_per_user
    this.#maxFiles = config.max_files_per_user
  }

  /** Holds a place for a file until it is disposed of. Refuses when there is none left. `stored`: what the owner has. */
  async take(owner: string, bytes: number, stored: () => Promise<readonly StoredFile[]>): Promise<Disposable> {
    const coming = this.#coming.get(owner) ?? { files: 0, bytes: 0 }
    this.#coming.set(owner, coming)
    coming.files++
    coming.bytes += bytes
    const place = {
      [Symbol.dispose]: () => {
        coming.files--
        coming.bytes -= bytes
        if (coming.files === 0) this.#coming.delete(owner)
      },
    }
    try {
      const files = await stored()
      const total = files.reduce((sum, file) => sum + file.bytes, coming.bytes)
      if (files.length + coming.files > this.#maxFiles) refuse(`A user may have ${this.#maxFiles} files.`)
      if (total > this.#maxBytes) refuse(`The files of a user may take ${this.#maxBytes} bytes in all.`)
      return place
    } catch (thrown) {
      place[Symbol.dispose]()
      throw thrown
    }
  }
}

function refuse(problem: string): never {
  fail('http_400', { problem: `${problem} Delete some first.` }, { param: 'file', ownParam: true })
}
