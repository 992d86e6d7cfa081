const KEY_BYTES = 32

/** The bytes of `files.encryption_key`. undefined: the text is not the base64 of 32 bytes. */
export function encryptionKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64')
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : undefined
}
