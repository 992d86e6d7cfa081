/** Values that only this gateway can write and read, for cookies and for the store. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isObject, type JsonObject, parseJson } from '../base/json.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts and authenticates values. */
export interface Sealer {
  seal(value: JsonObject): string
  /** undefined: the text was not sealed with this secret and for this purpose. */
  open(text: string): JsonObject | undefined
}

export function createSealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `sluiceway ${purpose}`, 32))
  return {
    seal(value) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
        const value = parseJson(opened.toString('utf8'))
        return isObject(value) ? value : undefined
      } catch {
        return undefined
      }
    },
  }
}
