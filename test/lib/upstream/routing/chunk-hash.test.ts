import { expect } from 'chai'
import { CHUNK_BYTES, ChunkHasher, hashKey, MOST_CHUNKS } from '../../../../lib/upstream/routing/chunk-hash.ts'
import { cpuMs } from '../../../support/cost.ts'

const KEY = hashKey(Buffer.alloc(16, 7))
const hasher = new ChunkHasher()

function hashesOf(texts: readonly string[], { key = KEY, seed = 'm' } = {}): number[] {
  hasher.begin(key, seed)
  for (const text of texts) hasher.add(text)
  return [...hasher.hashes()]
}

/** The same text as bytes that are escaped for JSON, in slices of `size`. */
function hashesOfBytes(text: string, slices: (json: string) => string[]): number[] {
  hasher.begin(KEY, 'm')
  for (const slice of slices(JSON.stringify(text).slice(1, -1))) {
    const bytes = Buffer.from(`xx${slice}yy`)
    hasher.bytes(bytes, 2, bytes.length - 2)
  }
  return [...hasher.hashes()]
}

const long = Array.from({ length: 3000 }, (_, i) => `line ${i} "quoted" \\ é € 😀\n`).join('')

describe('ChunkHasher', () => {
  it('gives two words for each complete chunk, however the text is cut', () => {
    const whole = hashesOf([long])
    expect(whole.length).equal(2 * Math.floor(Buffer.byteLength(long) / CHUNK_BYTES))
    expect(hashesOf(long.match(/.{1,777}/gsu)!)).deep.equal(whole)
    expect(hashesOf(['a'.repeat(CHUNK_BYTES - 1)])).deep.equal([])
  })

  it('gives a text that is escaped for JSON the hashes of the text', () => {
    const whole = hashesOf([long])
    expect(hashesOfBytes(long, json => [json])).deep.equal(whole)
    // No slice begins or ends inside of an escape.
    expect(hashesOfBytes(long, json => json.match(/(?:\\.|[^\\]){1,100}/gsu)!)).deep.equal(whole)
  })

  it('reads every escape of JSON, surrogate pairs in two of them', () => {
    const text = `${'\b\f\n\r\t"\\/'.repeat(100)}${'😀é'.repeat(400)}`
    const escaped = Array.from({ length: text.length }, (_, i) => {
      return `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
    }).join('')
    hasher.begin(KEY, 'm')
    hasher.bytes(Buffer.from(escaped), 0, escaped.length)
    expect([...hasher.hashes()]).deep.equal(hashesOf([text]))
  })

  it('reads runs of every length between escapes', () => {
    const text = Array.from({ length: 300 }, (_, i) => `${'x'.repeat(i)}"`).join('')
    expect(hashesOfBytes(text, json => [json])).deep.equal(hashesOf([text]))
    const upper = JSON.stringify('\u001f').slice(1, -1).toUpperCase().replace('U', 'u')
    hasher.begin(KEY, 'm')
    hasher.bytes(Buffer.from(upper.repeat(2000)), 0, 12_000)
    expect([...hasher.hashes()]).deep.equal(hashesOf(['\u001f'.repeat(2000)]))
  })

  it('makes little of escapes, however many there are', () => {
    const bytes = (json: string) => Buffer.from(json.repeat(400_000 / json.length))
    const hash = (source: Buffer) => () => {
      for (let i = 0; i < 20; i++) {
        hasher.begin(KEY, 'm')
        hasher.bytes(source, 0, source.length)
      }
    }
    // CPU time is counted in ticks, of which this takes a few.
    const plain = Math.max(2, cpuMs(hash(bytes('a word and another, ')), 3))
    expect(cpuMs(hash(bytes('\\"a\\n')), 3)).below(40 * plain)
    expect(cpuMs(hash(bytes('\\u00e9')), 3)).below(40 * plain)
  })

  it('chains: a change changes its chunk and all behind it, none before it', () => {
    const before = hashesOf([long])
    const at = 5 * CHUNK_BYTES + 10
    const after = hashesOf([`${long.slice(0, at)}!${long.slice(at + 1)}`])
    const changed = before.findIndex((word, i) => word !== after[i])
    expect(changed).within(6, 11)
    expect(before.slice(12).filter((word, i) => word === after[i + 12])).deep.equal([])
  })

  it('has other hashes under another key and another seed', () => {
    const words = new Set(hashesOf([long]))
    for (const other of [hashesOf([long], { key: hashKey(Buffer.alloc(16, 8)) }), hashesOf([long], { seed: 'n' })])
      expect(other.filter(word => words.has(word))).deep.equal([])
  })

  it('hashes the first megabyte and counts the rest', () => {
    const text = 'x'.repeat(3 * MOST_CHUNKS * CHUNK_BYTES)
    expect(hashesOf([text, text]).length).equal(2 * MOST_CHUNKS)
    expect(hasher.length).equal(2 * text.length)
    expect(hashesOfBytes(text, json => [json]).length).equal(2 * MOST_CHUNKS)
    expect(hasher.length).equal(text.length)
  })

  it('spreads: no two of ten thousand chunks share a word', () => {
    const words = new Set<number>()
    for (let i = 0; i < 10; i++)
      for (const word of hashesOf(['\0'.repeat(1000 * CHUNK_BYTES)], { seed: `${i}` })) words.add(word)
    expect(words.size).above(19_990)
  })
})
