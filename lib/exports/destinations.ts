/** Where the lines of a stream can go. */
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { writeLines } from '../base/log.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { sha256 } from '../base/sha256.ts'
import { sendWebhook } from '../base/webhook.ts'
import type { Config } from '../config/config.ts'
import type { ExportName } from '../store/exports.ts'
import { sendOtlp } from './otlp.ts'

export type ExportTarget = NonNullable<NonNullable<Config['export']>[ExportName]>

/** Resolves when the destination has the lines; rejects if it may lack some. `now`: milliseconds since the epoch. */
export async function sendLines(
  target: ExportTarget,
  name: ExportName,
  lines: readonly JsonObject[],
  now: number,
): Promise<void> {
  const texts = lines.map(line => JSON.stringify(line))
  // The checks of the configuration require the members of each destination.
  switch (target.to) {
    case 'stdout':
      return writeLines(texts)
    case 'file':
      return appendLines(target.path!, `${texts.join('\n')}\n`)
    case 'otlp':
      return sendOtlp(target.url!, name, lines)
    case 'webhook': {
      const body = `${texts.join('\n')}\n`
      const message = { id: `msg_${sha256(body).slice(0, 32)}`, body, type: 'application/x-ndjson' }
      return sendWebhook(target.url!, target.secret!, message, Math.floor(now / 1000))
    }
  }
}

const NEWLINE = 10

/** Appends whole lines and flushes them. A part of them does not stay in the file, as after a full disk. */
async function appendLines(path: string, text: string): Promise<void> {
  makeDirectory(dirname(path), 0o700)
  await using file = await open(path, 'a+', 0o600)
  const { size } = await file.stat()
  try {
    await file.writeFile((await isTorn(file, size)) ? `\n${text}` : text)
    await file.datasync()
  } catch (error) {
    await file.truncate(size).catch(() => {})
    throw error
  }
}

/** Whether the file ends inside of a line, as after a crash. */
async function isTorn(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}
