/** Reading and writing the directory of files, which other processes change at the same time. */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Where folders are completed before they are moved to their owner, and moved before they are deleted. */
export const INCOMING = 'incoming'
/** Ends the name of a folder in `incoming` that is being deleted. */
export const DELETED = '.deleted'
/** What ownerOf() returns. */
export const OWNER = /^[0-9a-f]{32}$/
export const FILE = /^file-[0-9a-f]{32}$/
export const BATCH = /^(?:msg)?batch_[0-9a-f]{24}$/

/** The directory's names; none if it does not exist. */
export async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? []
}

/** undefined: the file does not exist. Another process may have deleted it. */
export async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Writes a new file and flushes it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.datasync()
}

/** Flushes the names in a directory: a file that is flushed can still lose its name in a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}

/** Moves a complete folder to its owner and flushes both. Resolves if the owner has a folder of this name already. */
export async function putFolder(folder: string, path: string): Promise<void> {
  await syncDirectory(folder)
  const owner = dirname(path)
  for (let tries = 1; ; tries++) {
    if ((await mkdir(owner, { recursive: true, mode: 0o700 })) !== undefined) await syncDirectory(dirname(owner))
    try {
      await rename(folder, path)
      return await syncDirectory(owner)
    } catch (error) {
      if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return
      // A sweep has just removed the owner's empty folder.
      if (!isMissing(error) || tries === 3) throw error
    }
  }
}

/** The path of a new folder in `incoming`, in the directory of files. */
export function incomingFolder(directory: string, name: string, end = ''): string {
  return join(directory, INCOMING, `${name}-${randomUUID()}${end}`)
}

/** Deletes a folder of the directory of files. It is moved to `incoming` first. False: another process removed it. */
export async function deleteFolder(directory: string, path: string): Promise<boolean> {
  const aside = incomingFolder(directory, basename(path), DELETED)
  const moved = await unlessMissing(rename(path, aside).then(() => true))
  if (moved === true) await rm(aside, { recursive: true, force: true })
  return moved === true
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
