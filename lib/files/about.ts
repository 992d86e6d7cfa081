/** The small JSON text next to a file or batch, with its metadata. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts'
import { unlessMissing, writeWhole } from './directory.ts'
import type { StoredFile } from './files.ts'
import { opened, type Sealing } from './sealing.ts'

const ABOUT = 'about.json'

/** What is shown for a name that cannot be decrypted. The file can still be deleted. */
const UNREADABLE = 'unreadable'

/** What every text has, also that of a batch. */
export interface About {
  readonly expiresAt: number
  readonly account?: string | undefined
}

/** Writes the text of a new folder and flushes it. */
export function writeAbout(folder: string, about: About): Promise<void> {
  return writeWhole(join(folder, ABOUT), JSON.stringify(about))
}

/** The text of a file, whose name is encrypted if its bytes are. */
export function fileAbout(file: StoredFile, account: string | undefined, sealing: Sealing | null): StoredFile & About {
  const sealed = sealing?.seal(Buffer.from(file.filename), placeOf(file.id))
  const filename = sealed === undefined ? file.filename : Buffer.concat(sealed).toString('base64')
  return { ...file, filename, account }
}

/** undefined: there is no such folder, or its text is not that of this gateway. */
export async function readAbout(folder: string): Promise<(JsonObject & About) | undefined> {
  const text = await unlessMissing(readFile(join(folder, ABOUT), 'utf8'))
  const value: Json | undefined = text === undefined ? undefined : parseJson(text)
  return isObject(value) && typeof value.expiresAt === 'number' ? (value as JsonObject & About) : undefined
}

/** The metadata in a text that fileAbout() has made. */
export function toFile(about: JsonObject & About, sealing: Sealing | null): StoredFile {
  const file = about as JsonObject & StoredFile
  return file.sealed === true ? { ...file, filename: nameOf(file, sealing) } : file
}

function nameOf({ id, filename }: StoredFile, sealing: Sealing | null): string {
  try {
    return opened(sealing, Buffer.from(filename, 'base64'), placeOf(id)).toString()
  } catch {
    return UNREADABLE
  }
}

function placeOf(id: string): string {
  return `name ${id}`
}
