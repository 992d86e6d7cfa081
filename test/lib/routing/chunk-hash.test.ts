import { expect } from 'chai'
import { CHUNK_BYTES, ChunkHasher, hashKey } from '../../../lib/routing/chunk-hash.ts'

const KEY = hashKey(Buffer.alloc(16, 7))
const hasher = new ChunkHasher()

function hashesOf(texts: readonly string[], { key = KEY, seed = 'm' } = {}): number[] {
  hasher.begin(key, seed)
  for (const text of texts) hasher.add(text)
  return [...hasher.hashes()]
}

const long = Array.from({ length: 3000 }, (_, i) => `line ${i} "quoted" \\ é € 😀\n`).join('')

describe('ChunkHasher', () => {
  it('gives two words per complete chunk, for a text in any pieces', () => {
    const whole = hashesOf([long])
    expect(whole.length).equal(2 * Math.floor(Buffer.byteLength(long) / CHUNK_BYTES))
    expect(hashesOf(long.match(/.{1,777}/gsu)!)).deep.equal(whole)
    expect(hashesOf(['a'.repeat(CHUNK_BYTES - 1)])).deep.equal([])
  })

  it('chains: a change affects its chunk and all later ones', () => {
    const before = hashesOf([long])
    const at = 5 * CHUNK_BYTES + 10
    const after = hashesOf([`${long.slice(0, at)}!${long.slice(at + 1)}`])
    const changed = before.findIndex((word, i) => word !== after[i])
    expect(changed).within(6, 11)
    expect(before.slice(12).filter((word, i) => word === after[i + 12])).deep.equal([])
  })

  it('has other hashes with another key or another seed', () => {
    const words = new Set(hashesOf([long]))
    for (const other of [hashesOf([long], { key: hashKey(Buffer.alloc(16, 8)) }), hashesOf([long], { seed: 'n' })])
      expect(other.filter(word => words.has(word))).deep.equal([])
  })

  it('hashes the first four megabytes and counts the rest', () => {
    const text = 'x'.repeat(3 * 1024 * 1024)
    expect(hashesOf([text, text]).length).equal(2 * 4096)
    expect(hasher.length).equal(2 * text.length)
    expect(hasher.isFull).equal(true)
    hasher.skip(100)
    expect(hasher.length).equal(2 * text.length + 100)
  })

  it('spreads: of ten thousand chunks, no two share a word', () => {
    const words = new Set<number>()
    for (let i = 0; i < 10; i++)
      for (const word of hashesOf(['\0'.repeat(1000 * CHUNK_BYTES)], { seed: `${i}` })) words.add(word)
    expect(words.size).above(19_990)
  })
})
