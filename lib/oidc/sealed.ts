/**
 * Values that a browser keeps for the gateway during a sign-in: encrypted and authenticated, so that only processes with the same key
 * can read or make them (docs/adr/0066).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isObject, type JsonObject, parseJson } from '../base/json.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** Far more than a sealed sign-in has. */
const MOST_CHARACTERS = 4096

export interface Sealer {
  seal(value: JsonObject): string
  /** undefined: it is no value that this key has sealed for this purpose. */
  open(text: string): JsonObject | undefined
}

/** `purpose`: what is sealed for one purpose opens for no other. */
export function sealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `sluiceway ${purpose}`, 32))
  return {
    seal(value) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(text) {
      const bytes = Buffer.from(text.length > MOST_CHARACTERS ? '' : text, 'base64url')
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
