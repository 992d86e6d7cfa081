// Makes a PNG of a page a third as large: with a palette of up to 256 colours.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE_LENGTH = 8
const MAX_COLOURS = 256
/** Square of the distance of two colours below which they are one. */
const MIN_DISTANCE = 150

/** `png`: 8 bits, RGB or RGBA without transparent pixels, not interlaced, as browsers take pictures. */
export function smallPng(png) {
  const chunks = chunksOf(png)
  const head = chunks.find(({ type }) => type === 'IHDR').data
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const size = head[9] === 6 ? 4 : 3
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(one => one.data))
  const pixels = unfiltered(inflateSync(data), { width, height, size })
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = paletteOf([...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)))
  const indices = new Map([...counts.keys()].map(colour => [colour, nearest(palette, colour)]))
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(height * (width + 1))
  pixels.forEach((colour, at) => {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indices.get(colour)
  })
  const small = Buffer.from(head)
  // Indices of a palette.
  small[9] = 3
  return Buffer.concat([
    png.subarray(0, SIGNATURE_LENGTH),
    chunk('IHDR', small),
    chunk('PLTE', Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunksOf(png) {
  const chunks = []
  for (let at = SIGNATURE_LENGTH; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

/** The colours of all pixels, from rows with the filters of PNG. */
function unfiltered(raw, { width, height, size }) {
  const length = width * size
  const pixels = new Uint32Array(width * height)
  let above = Buffer.alloc(length)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (length + 1)]
    const row = Buffer.from(raw.subarray(y * (length + 1) + 1, (y + 1) * (length + 1)))
    for (let x = 0; x < length; x++) {
      const [left, corner] = x < size ? [0, 0] : [row[x - size], above[x - size]]
      row[x] += [0, left, above[x], (left + above[x]) >> 1, paeth(left, above[x], corner)][filter]
    }
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = (row[x * size] << 16) | (row[x * size + 1] << 8) | row[x * size + 2]
    above = row
  }
  return pixels
}

function paeth(left, up, corner) {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map(one => Math.abs(guess - one))
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/**
 * The most frequent colours that differ from each other, so that rare ones, such as that of an error, have a place.
 * `colours`: the most frequent first.
 */
function paletteOf(colours) {
  const palette = []
  for (const colour of colours) {
    if (palette.length === MAX_COLOURS) break
    if (colours.length <= MAX_COLOURS || palette.every(one => distance(one, colour) > MIN_DISTANCE))
      palette.push(colour)
  }
  return palette
}

function distance(one, other) {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0)
}

function nearest(palette, colour) {
  let best = palette.indexOf(colour)
  if (best === -1)
    best = palette.reduce((at, one, i) => (distance(one, colour) < distance(palette[at], colour) ? i : at), 0)
  return best
}
