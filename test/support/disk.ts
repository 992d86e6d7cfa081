/** Fails writes and flushes of this process to files in one folder. Linux only: it reads paths from /proc. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

export interface Disk {
  /** Texts of later writes. */
  noteWrites(): readonly string[]
  /** The next writes fail with this code, or write half of their bytes and then fail. */
  failWrites(how: 'ENOSPC' | 'EIO' | 'halves'): void
  /** The next flushes fail. */
  failFlushes(): void
  mend(): void
}

export function diskOf(folder: string): Disk {
  const { writeSync, fdatasync } = fs
  const isHere = (fd: number) => fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
  const problem = (code: string) => Object.assign(new Error(`${code}: injected`), { code })
  const put = (members: Partial<typeof fs>) => {
    Object.assign(fs, members)
    syncBuiltinESMExports()
  }
  return {
    noteWrites() {
      const noted: string[] = []
      const noting = (fd: number, text: string) => {
        if (isHere(fd)) noted.push(text)
        return writeSync(fd, text)
      }
      put({ writeSync: noting as typeof fs.writeSync })
      return noted
    },
    failWrites(how) {
      let halves = 0
      const failing = (fd: number, text: string) => {
        if (!isHere(fd)) return writeSync(fd, text)
        if (how !== 'halves' || halves++ > 0) throw problem(how === 'EIO' ? 'EIO' : 'ENOSPC')
        return writeSync(fd, text.slice(0, text.length / 2))
      }
      put({ writeSync: failing as typeof fs.writeSync })
    },
    failFlushes() {
      const failing = (fd: number, done: fs.NoParamCallback) =>
        isHere(fd) ? void setImmediate(done, problem('EIO')) : fdatasync(fd, done)
      put({ fdatasync: failing as typeof fs.fdatasync })
    },
    mend: () => put({ writeSync, fdatasync }),
  }
}
