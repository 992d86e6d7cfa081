import { expect } from 'chai'
import { REQUEST_COLUMNS, toCount, toRow } from '../../../lib/store/rows.ts'
import { makeRecord } from '../../support/record.ts'

const COLUMN_NAMES = Object.keys(REQUEST_COLUMNS)

const cell = (name: string, fields: Parameters<typeof makeRecord>[0]) =>
  toRow(makeRecord(fields))[COLUMN_NAMES.indexOf(name)]

describe('rows', () => {
  it('have a value for each column', () => {
    expect(toRow(makeRecord())).length(COLUMN_NAMES.length)
    expect(toRow(makeRecord()).some(value => value === undefined)).equal(false)
  })

  it('contain the public id as a number and the cache hit share', () => {
    const id = '01930000-0000-7000-8000-ffffffffffff'
    expect(cell('public_id', { id })).equal(2 ** 48 - 1)
    expect(cell('cache_hit_pct', { input_tokens: 3, cache_read_tokens: 1 })).equal((1 / 3) * 100)
    expect(cell('cache_hit_pct', { input_tokens: 3, cache_read_tokens: null })).equal(null)
    expect(cell('cache_hit_pct', { input_tokens: 3, cache_read_tokens: 0 })).equal(0)
    expect(cell('cache_hit_pct', { input_tokens: 0, cache_read_tokens: 0 })).equal(null)
    expect(cell('cache_hit_pct', { input_tokens: null })).equal(null)
  })

  it('contain integers for integer columns', () => {
    expect(cell('ttft_ms', { ttft_ms: 12.6 })).equal(13)
    expect(cell('ttft_ms', { ttft_ms: Number.POSITIVE_INFINITY })).equal(2 ** 31 - 1)
    expect(cell('ttft_ms', { ttft_ms: -1e12 })).equal(-(2 ** 31 - 1))
    expect(cell('ttft_ms', { ttft_ms: Number.NaN })).equal(null)
    expect(cell('temperature', { temperature: Number.POSITIVE_INFINITY })).equal(null)
  })

  it('contain text that is valid in every store', () => {
    expect(cell('model_requested', { model_requested: 'a\0b' })).equal('a\ufffdb')
    expect(cell('model_requested', { model_requested: '\udc00x' })).equal('\ufffdx')
    expect(cell('model_requested', { model_requested: `${'x'.repeat(511)}😀` })).equal(`${'x'.repeat(511)}\ufffd`)
    expect(cell('error_message', { error_message: 'é'.repeat(3000) })).equal('é'.repeat(2000))
  })

  it('contain joined tags, or null for none', () => {
    expect(cell('request_tags', { request_tags: ['a', 'b'] })).equal('a,b')
    expect(cell('request_tags', { request_tags: [] })).equal(null)
  })

  it('contain no negative counts', () => {
    expect([toCount(null), toCount(-5), toCount(Number.NaN), toCount(2.4), toCount(1e12)]).deep.equal([
      0,
      0,
      0,
      2,
      2 ** 31 - 1,
    ])
  })
})
