import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../../lib/base/json.ts'
import { RejectedLines, sendOtlp } from '../../../lib/exports/otlp.ts'

describe('exports by OTLP', () => {
  let server: http.Server
  let url = ''
  let reply: JsonObject = {}
  const seen: { url: string | undefined; body: JsonObject }[] = []
  before(async () => {
    server = http.createServer(async (req, res) => {
      let body = ''
      for await (const piece of req.setEncoding('utf8')) body += piece
      seen.push({ url: req.url, body: JSON.parse(body) })
      res.end(JSON.stringify(reply))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => void server.close())

  it('are log records with the members of the line as body', async () => {
    const line = {
      created_at: '2026-11-21T12:00:00.000Z',
      n: 5,
      f: 0.5,
      t: true,
      none: null,
      tags: ['a'],
      o: { p: 'q' },
    }
    await sendOtlp(`${url}/`, 'records', [line])
    await sendOtlp(`${url}/v1/logs`, 'audit', [line])
    expect(seen.map(one => one.url)).deep.equal(['/v1/logs', '/v1/logs'])
    const value = (key: string, is: JsonObject) => ({ key, value: is })
    expect(seen[0]!.body).deep.equal({
      resourceLogs: [
        {
          resource: { attributes: [value('service.name', { stringValue: 'sluiceway' })] },
          scopeLogs: [
            {
              scope: { name: 'sluiceway.export' },
              logRecords: [
                {
                  timeUnixNano: '1795262400000000000',
                  severityNumber: 9,
                  eventName: 'sluiceway.records',
                  body: {
                    kvlistValue: {
                      values: [
                        value('created_at', { stringValue: line.created_at }),
                        value('n', { intValue: '5' }),
                        value('f', { doubleValue: 0.5 }),
                        value('t', { boolValue: true }),
                        value('tags', { arrayValue: { values: [{ stringValue: 'a' }] } }),
                        value('o', { kvlistValue: { values: [value('p', { stringValue: 'q' })] } }),
                      ],
                    },
                  },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('are not repeated if the collector rejects some for good', async () => {
    reply = { partialSuccess: { rejectedLogRecords: '2', errorMessage: 'no' } }
    const error = await sendOtlp(url, 'records', [{ created_at: '2026-11-21T12:00:00.000Z' }]).catch(thrown => thrown)
    expect(error).instanceOf(RejectedLines).include({ count: 2 })
  })
})
