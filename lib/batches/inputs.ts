/** Input files that are open because lines of them run. */
import type { RangeReader } from '../files/files.ts'
import type { FileStore } from '../files/store.ts'

interface Input {
  readonly id: string
  readonly owner: string
  readonly input_file_id: string
}

interface Range {
  readonly position: number
  readonly length: number
}

/** The customer has removed the input file. */
export class InputRemoved extends Error {}

export class Inputs {
  readonly #files: Pick<FileStore, 'findAny' | 'openForRanges'>
  readonly #readers = new Map<string, Promise<RangeReader>>()

  constructor(files: Pick<FileStore, 'findAny' | 'openForRanges'>) {
    this.#files = files
  }

  async read(batch: Input, { position, length }: Range): Promise<Buffer> {
    let reader = this.#readers.get(batch.id)
    if (reader === undefined) {
      reader = this.#open(batch)
      this.#readers.set(batch.id, reader)
      reader.catch(() => this.#readers.delete(batch.id))
    }
    return (await reader).read(position, length)
  }

  /** Closes the files of the other batches. */
  keep(isKept: (batch: string) => boolean): void {
    for (const [batch, reader] of this.#readers) {
      if (isKept(batch)) continue
      this.#readers.delete(batch)
      void reader.then(open => open.close()).catch(() => {})
    }
  }

  async #open({ owner, input_file_id: id }: Input): Promise<RangeReader> {
    const file = await this.#files.findAny(owner, id)
    if (file === undefined) throw new InputRemoved('the input file of a batch was removed')
    return this.#files.openForRanges(owner, file)
  }
}
