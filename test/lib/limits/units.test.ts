import { expect } from 'chai'
import { requestedUnits } from '../../../lib/limits/units.ts'

describe('limits/units', () => {
  it('are Unicode characters of speech and moderations', () => {
    expect(requestedUnits('speech', { input: 'é🌊a' }, 0)).deep.equal({ unit: 'characters', units: 3 })
    const parts = [
      { type: 'text', text: 'ab' },
      { type: 'image_url', image_url: { url: 'data:' } },
    ]
    expect(requestedUnits('moderation', { input: parts }, 0)).deep.equal({ unit: 'characters', units: 2 })
    expect(requestedUnits('moderation', { input: ['ab', 'c'] }, 0)?.units).equal(3)
  })

  it('are images, one if the request does not say', () => {
    expect(requestedUnits('image', { n: 4 }, 0)).deep.equal({ unit: 'images', units: 4 })
    expect(requestedUnits('image', { n: null }, 0)?.units).equal(1)
  })

  it('are 60 seconds per megabyte of audio', () => {
    expect(requestedUnits('transcription', {}, 1_000_000)).deep.equal({ unit: 'seconds', units: 60 })
    expect(requestedUnits('transcription', {}, 1)?.units).equal(1)
  })

  it('are none for other kinds', () => {
    for (const kind of ['chat', 'embedding', 'rerank', null] as const)
      expect(requestedUnits(kind, { input: 'a' }, 9)).equal(undefined)
  })
})
