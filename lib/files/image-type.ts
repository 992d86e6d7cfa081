export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** The type according to the first bytes, whatever the sender declares; undefined if it is none of these. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp'
  return undefined
}
