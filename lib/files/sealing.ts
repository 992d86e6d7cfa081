/** Encryption of what the directory of files contains: AES-256-GCM with a fresh nonce for each piece. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Bytes that a sealed piece has in addition to its content. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

export class Sealing {
  readonly #key: KeyObject

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key)
  }

  /**
   * Nonce, ciphertext and tag, which are stored one after the other. `place` says where the piece belongs: open() fails
   * with another one.
   */
  seal(piece: Uint8Array, place: string): Buffer[] {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place))
    const sealed = cipher.update(piece)
    // A stream cipher has nothing left to return, but without this call there is no tag.
    cipher.final()
    return [nonce, sealed, cipher.getAuthTag()]
  }

  /** Throws if the piece was changed or moved, or if it was sealed with another key. */
  open(sealed: Uint8Array, place: string): Buffer {
    if (sealed.length < SEAL_BYTES) throw damaged()
    const end = sealed.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(end))
    const piece = decipher.update(sealed.subarray(NONCE_BYTES, end))
    try {
      decipher.final()
    } catch {
      throw damaged()
    }
    return piece
  }
}

/** Opens what was sealed. Throws as Sealing.open(); null: no key is configured. */
export function opened(sealing: Sealing | null, sealed: Uint8Array, place: string): Buffer {
  if (sealing === null) throw new Error('a file is encrypted, and files.encryption_key is not configured')
  return sealing.open(sealed, place)
}

function damaged(): Error {
  return new Error('an encrypted file was changed, or files.encryption_key is another one than when it was stored')
}
