import { expect } from 'chai'
import { parseCursor } from '../../../../lib/store/queries/cursor.ts'
import { findRequest, isRequestId, listRequests, type RequestFilter } from '../../../../lib/store/queries/requests.ts'
import type { RequestRecord } from '../../../../lib/store/record.ts'
import { insertRecords, makeRecord } from '../../../support/record.ts'
import { onEveryStore } from '../../../support/stores.ts'

const endpoint = 'acme.example.com'
const NOON = Date.UTC(2026, 10, 21, 12) * 1000

const publicId = (record: RequestRecord) => record.id.slice(-12)

describe('requests of an endpoint', () => {
  onEveryStore(store => {
    const insert = async (...fields: Partial<RequestRecord>[]) => {
      const records = fields.map((own, i) => makeRecord({ created_at: NOON + i, ...own }))
      await insertRecords(store(), records)
      return records
    }
    const list = (filter: Partial<RequestFilter> = {}, cursor?: string, limit = 50) =>
      listRequests(store(), { endpoint, ...filter }, cursor === undefined ? undefined : parseCursor(cursor), limit)
    const idsOf = async (filter: Partial<RequestFilter>) => (await list(filter)).requests.map(row => row.request_id)

    /** All pages, newest first. */
    const walk = async (filter: Partial<RequestFilter>, limit: number) => {
      const pages: unknown[][] = []
      let cursor: string | undefined
      for (let turns = 0; turns < 300; turns++) {
        const page = await list(filter, cursor, limit)
        pages.push(page.requests.map(row => row.request_id))
        expect(page.has_more).equal(page.cursor !== null)
        if (page.cursor === null) return pages
        cursor = page.cursor
      }
      throw new Error('paging does not end')
    }

    it('are those of the endpoint, newest first', async () => {
      const [a, b] = await insert({}, {}, { endpoint: 'other.example.com' }, { endpoint: null, surface: 'gateway' })
      const page = await list()
      expect(page.requests.map(row => row.request_id)).deep.equal([publicId(b!), publicId(a!)])
      expect(page.requests[0]!.created_at).equal('2026-11-21T12:00:00.000001Z')
      expect([page.has_more, page.cursor]).deep.equal([false, null])
    })

    it('may be an empty list', async () => {
      expect(await list()).deep.equal({ requests: [], has_more: false, cursor: null })
    })

    it('are paged by the time of the last row', async () => {
      await insert({}, {}, {})
      const page = await list({}, undefined, 2)
      expect(page.requests).length(2)
      expect([page.has_more, page.cursor]).deep.equal([true, page.requests[1]!.created_at])
      const next = await list({}, page.cursor!, 2)
      expect([next.requests.length, next.has_more, next.cursor]).deep.equal([1, false, null])
    })

    it('are neither repeated nor skipped if many have the same time, for every page size', async () => {
      const times = [0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4, 4]
      const records = await insert(...times.map(offset => ({ created_at: NOON + offset, status_code: 500 })))
      const all = records.map(publicId).sort()
      for (const limit of [1, 2, 3, 4, 5, 7, 12, 200]) {
        for (const filter of [{}, { errors_only: true }]) {
          const pages = await walk(filter, limit)
          expect(pages.flat().sort()).deep.equal(all)
          for (const page of pages.slice(0, -1)) expect(page).length(limit)
        }
      }
    })

    it('are strictly older than an arbitrary cursor', async () => {
      const [a] = await insert({ created_at: NOON }, { created_at: NOON + 1 }, { created_at: NOON + 2 })
      const page = await list({}, '2026-11-21T13:00:00.000001+01:00')
      expect(page.requests.map(row => row.request_id)).deep.equal([publicId(a!)])
    })

    it('are filtered by inclusive bounds that combine with AND', async () => {
      const records = await insert(
        { ttft_ms: 100, total_latency_ms: 1000, input_tokens: 10, cache_read_tokens: 0 },
        { ttft_ms: 200, total_latency_ms: 2000, input_tokens: 20, cache_read_tokens: 10 },
        { ttft_ms: 300, total_latency_ms: 3000, input_tokens: 30, cache_read_tokens: 30 },
        { ttft_ms: null, is_streaming: false, total_latency_ms: 4000, input_tokens: 40, cache_read_tokens: 1 },
      )
      const found = async (filter: Partial<RequestFilter>) => {
        const ids = await idsOf(filter)
        return records.flatMap((record, i) => (ids.includes(publicId(record)) ? [i] : []))
      }
      expect(await found({ min_ttft_ms: 200 })).deep.equal([1, 2])
      expect(await found({ max_ttft_ms: 200 })).deep.equal([0, 1])
      expect(await found({ min_ttft_ms: 0 })).deep.equal([0, 1, 2])
      expect(await found({ min_ttft_ms: 101, max_ttft_ms: 299 })).deep.equal([1])
      expect(await found({ min_total_latency_ms: 3000 })).deep.equal([2, 3])
      expect(await found({ max_total_latency_ms: 3000 })).deep.equal([0, 1, 2])
      expect(await found({ min_input_tokens: 30 })).deep.equal([2, 3])
      expect(await found({ max_cache_hit_pct: 50 })).deep.equal([0, 1, 3])
      expect(await found({ max_cache_hit_pct: 49.9 })).deep.equal([0, 3])
      expect(await found({ max_cache_hit_pct: 2.5 })).deep.equal([0, 3])
      expect(await found({ max_cache_hit_pct: 100 })).deep.equal([0, 1, 2, 3])
      expect(await found({ min_ttft_ms: 200, max_cache_hit_pct: 50, min_input_tokens: 20 })).deep.equal([1])
    })

    it('without input tokens, or with unknown cached tokens, have no cache hit share, and match no bound on it', async () => {
      await insert(
        { input_tokens: null, cache_read_tokens: null },
        { input_tokens: 0, cache_read_tokens: 0 },
        { input_tokens: 10, cache_read_tokens: null },
      )
      expect(await idsOf({ max_cache_hit_pct: 100 })).deep.equal([])
      expect(await idsOf({ min_input_tokens: 0 })).length(3)
      expect(await idsOf({ min_input_tokens: 1 })).length(1)
    })

    it('match any of the tags', async () => {
      const [ab, b, c] = await insert(
        { request_tags: ['a', 'b'] },
        { request_tags: ['b'] },
        { request_tags: ['c'], ttft_ms: 900 },
        { request_tags: null },
        { request_tags: ['a'], endpoint: 'other.example.com' },
      )
      expect(await idsOf({ tags: ['a'] })).deep.equal([publicId(ab!)])
      expect(await idsOf({ tags: ['b'] })).deep.equal([publicId(b!), publicId(ab!)])
      expect(await idsOf({ tags: ['a', 'b', 'c'] })).deep.equal([publicId(c!), publicId(b!), publicId(ab!)])
      expect(await idsOf({ tags: ['a', 'c'], min_ttft_ms: 500 })).deep.equal([publicId(c!)])
      expect(await idsOf({ tags: ['d'] })).deep.equal([])
    })

    it('are paged by tag, also with the same time and several tags', async () => {
      const records = await insert(
        ...Array.from({ length: 9 }, (_, i) => ({
          created_at: NOON + (i >> 2),
          request_tags: i % 2 ? ['a'] : ['a', 'b'],
        })),
      )
      for (const limit of [1, 2, 4, 20]) {
        const pages = await walk({ tags: ['a', 'b', 'nowhere'] }, limit)
        expect(pages.flat().sort()).deep.equal(records.map(publicId).sort())
      }
    })

    it('with errors_only are all 4xx and 5xx, including those that are not in the request table', async () => {
      const [, , ...errors] = await insert(
        {},
        { stream_error_status_code: 502, stream_error_type: 'backend_http_error' },
        { status_code: 500, error_code: 'internal_error', error_message: 'It failed.' },
        { status_code: 400, error_code: 'invalid_json_request', dispatched: false, model_requested: null },
        { status_code: 499 },
      )
      const page = await list({ errors_only: true })
      expect(page.requests.map(row => row.request_id)).deep.equal(errors.map(publicId).reverse())
      expect(page.requests[1]).include({ status_code: 400, error_code: 'invalid_json_request', model_requested: null })
      expect(await idsOf({})).not.include(publicId(errors[1]!))
    })

    it('with errors_only are only filtered by tags', async () => {
      const [tagged] = await insert(
        { status_code: 500, request_tags: ['a'] },
        { status_code: 500 },
        { request_tags: ['a'] },
      )
      const others = { min_ttft_ms: 9999, max_total_latency_ms: 0, max_cache_hit_pct: 0, min_input_tokens: 9999 }
      expect(await idsOf({ errors_only: true, ...others })).length(2)
      expect(await idsOf({ errors_only: true, tags: ['a', 'b'], ...others })).deep.equal([publicId(tagged!)])
    })

    it('are found by hex digits and by UUID, only at their endpoint', async () => {
      const [record, refused] = await insert({ request_tags: ['a'] }, { status_code: 413, dispatched: false })
      for (const id of [publicId(record!), publicId(record!).toUpperCase(), record!.id, `req_${publicId(record!)}`]) {
        const found = await findRequest(store(), endpoint, id)
        expect(found).include({ request_id: publicId(record!), output_tps: 87.5, path: '/v1/chat/completions' })
      }
      expect(await findRequest(store(), 'other.example.com', record!.id)).equal(undefined)
      expect(await findRequest(store(), endpoint, '000000000000')).equal(undefined)
      const otherTime = `00000000-0000-7000-8000-${publicId(record!)}`
      expect(await findRequest(store(), endpoint, otherTime)).equal(undefined)
      expect(await findRequest(store(), endpoint, publicId(refused!))).include({ status_code: 413 })
    })
  })

  it('have ids of 12 hex digits or UUIDs', () => {
    for (const id of ['0123456789ab', '0123456789AB', 'req_0123456789ab', makeRecord().id])
      expect(isRequestId(id)).equal(true)
    for (const id of ['', '0123456789a', '0123456789abc', 'xyz456789abc', `${makeRecord().id}0`, "'; --"]) {
      expect(isRequestId(id)).equal(false)
    }
  })
})
