import diagnostics from 'node:diagnostics_channel'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import zlib from 'node:zlib'
import { expect } from 'chai'
import { outgoingJson } from '../../../lib/body/request-body.ts'
import { fullPort } from '../../support/full-port.ts'
import { eventually } from '../../support/gateway.ts'
import { Heard, UpstreamBench } from '../../support/upstream.ts'

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

describe('transport/call', () => {
  let bench: UpstreamBench
  beforeEach(() => {
    bench = new UpstreamBench()
  })
  afterEach(() => bench.close())

  describe('a response', () => {
    it('is passed on as it arrives: head, pieces, end', async () => {
      let response: ServerResponse | undefined
      const url = await bench.server((_req, res) => {
        response = res
        res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      })
      const { heard } = bench.send(bench.client(url))
      await eventually(() => heard.chunks.length === 1, 'the first piece')
      expect([heard.status, heard.headers['content-type'], heard.text]).deep.equal([
        200,
        'text/event-stream',
        'data: 1\n\n',
      ])
      response!.end('data: 2\n\n')
      await eventually(() => heard.isOver, 'the end')
      expect(heard.text).equal('data: 1\n\ndata: 2\n\n')
      expect(heard.events).deep.equal(['head', 'end'])
    })

    it('is the final one: informational ones are skipped', async () => {
      const url = await bench.raw(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
      )
      const { events, status, headers, text } = await bench.outcome(bench.client(url))
      expect([events, status, text]).deep.equal([['head', 'end'], 200, '{}'])
      expect(headers).not.have.property('link')
    })

    it('has one value per header: a list, or the first value if the values form none', async () => {
      const lines = [
        'Content-Type: a/b',
        'content-type: c/d',
        'x-list: 1',
        'X-List: 2',
        'retry-after: 1',
        'retry-after: 2',
        'single: x',
        '__proto__: 1',
        'content-length: 0',
      ]
      const url = await bench.raw(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`)
      const { headers } = await bench.outcome(bench.client(url))
      const expected: IncomingHttpHeaders = {
        'content-type': 'a/b',
        'x-list': '1, 2',
        'retry-after': '1',
        single: 'x',
      }
      expect(headers).include(expected)
    })

    it('may end with its connection if its head has neither length nor transfer encoding', async () => {
      const url = await bench.raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"a"', ':1}')
      expect(await bench.answered(bench.client(url))).equal('200 {"a":1}')
    })

    for (const [what, ...writes] of [
      ['its length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', '{}'],
      ['its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '2\r\n{}\r\n'],
      [
        'its last chunk, on a connection that it closes',
        'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
        '2\r\n{}\r\n',
      ],
      ['a valid end of its chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '2\r\n{}xx\r\n'],
    ] as const) {
      it(`fails without ${what}`, async () => {
        const { events, text } = await bench.outcome(bench.client(await bench.raw(...writes)))
        expect([events, text]).deep.equal([['head', 'broken'], '{}'])
      })
    }

    for (const encoding of ['identity', 'gzip']) {
      it(`lets other work run after 64 KB: ${encoding}`, async () => {
        const bytes = Buffer.alloc(5_000_000, 'x')
        const url = await bench.server((_req, res) => {
          res.writeHead(200, { 'content-encoding': encoding }).end(encoding === 'gzip' ? zlib.gzipSync(bytes) : bytes)
        })
        let ticks = 0
        let most = 0
        const heard = new Heard()
        const inTick = { at: 0, bytes: 0 }
        heard.onData = chunk => {
          heard.chunks.push(Buffer.from(chunk))
          if (inTick.at !== ticks) Object.assign(inTick, { at: ticks, bytes: 0 })
          inTick.bytes += chunk.length
          most = Math.max(most, inTick.bytes)
        }
        bench.send(bench.client(url), {}, heard)
        while (!heard.isOver) {
          await new Promise(setImmediate)
          ticks++
        }
        expect(heard.text.length).equal(bytes.length)
        expect(most).most(3 * 64 * 1024)
      })
    }

    it('can be paused while it waits for a turn', async () => {
      const heard = new Heard()
      let isPaused = false
      heard.onData = chunk => {
        expect(isPaused).equal(false)
        heard.chunks.push(Buffer.from(chunk))
        if (heard.text.length < 100_000) return
        isPaused = true
        heard.call!.pause()
      }
      const url = await bench.server((_req, res) => res.end(Buffer.alloc(1_000_000)))
      const { call } = bench.send(bench.client(url), {}, heard)
      await eventually(() => isPaused, 'the pause')
      await pause(50)
      isPaused = false
      heard.onData = chunk => heard.chunks.push(Buffer.from(chunk))
      call.resume()
      await eventually(() => heard.isOver, 'the end')
      expect(heard.text.length).equal(1_000_000)
    })

    it('is broken if its handler throws, and its connection is closed', async () => {
      for (const method of ['onHead', 'onData', 'onEnd'] as const) {
        const heard = new Heard()
        heard[method] = () => {
          throw new Error(method)
        }
        const url = await bench.server((_req, res) => res.end('{}'))
        const { error } = await bench.outcome(bench.client(url), {}, heard)
        expect([error?.kind, error?.message]).deep.equal(['broken', method])
      }
    })
  })

  describe('a compressed response', () => {
    const compressed = (bytes: Buffer) =>
      bench.server((_req, res) => {
        res.writeHead(200, { 'content-encoding': 'gzip' })
        res.end(bytes)
      })

    it('is passed on as plain bytes', async () => {
      const text = 'data: {}\n\n'.repeat(10_000)
      const client = bench.client(await compressed(zlib.gzipSync(text)))
      for (let i = 0; i < 2; i++) expect((await bench.outcome(client)).text === text).equal(true)
      expect(bench.connections).equal(1)
    })

    it('is broken if its bytes are invalid', async () => {
      const { events } = await bench.outcome(bench.client(await compressed(Buffer.from('no such thing'))))
      expect(events).deep.equal(['head', 'broken'])
    })

    it('is broken if its handler throws', async () => {
      const heard = new Heard()
      heard.onData = () => {
        throw new Error('own')
      }
      const { error } = await bench.outcome(bench.client(await compressed(zlib.gzipSync('{}'))), {}, heard)
      expect(error).include({ kind: 'broken', message: 'own' })
    })

    it('is decompressed no further than its handler reads before it cancels', async () => {
      const heard = new Heard()
      heard.onData = chunk => {
        heard.chunks.push(chunk)
        if (Buffer.concat(heard.chunks).length > 100_000) heard.call!.cancel()
      }
      bench.send(bench.client(await compressed(zlib.gzipSync(Buffer.alloc(50_000_000)))), {}, heard)
      await eventually(() => heard.text.length > 100_000, 'the limit')
      await pause(50)
      expect(heard.text.length).below(300_000)
      expect(heard.events).deep.equal(['head'])
    })

    it('stops while it is paused', async () => {
      const { call, heard } = bench.send(bench.client(await compressed(zlib.gzipSync(Buffer.alloc(20_000_000)))))
      await eventually(() => heard.chunks.length > 0, 'the first piece')
      call.pause()
      await pause(30)
      const { length } = heard.text
      await pause(50)
      expect(heard.text.length).equal(length)
      call.resume()
      await eventually(() => heard.isOver, 'the end')
      expect(heard.text.length).equal(20_000_000)
    })
  })

  describe('pause()', () => {
    it('pauses the backend until resume()', async () => {
      const size = 50_000_000
      let sent = false
      const url = await bench.server((_req, res) => {
        res.end(Buffer.alloc(size), () => {
          sent = true
        })
      })
      const heard = new Heard()
      let isPaused = false
      heard.onHead = () => {
        heard.call!.pause()
        isPaused = true
      }
      const { call } = bench.send(bench.client(url), {}, heard)
      await eventually(() => isPaused, 'the head')
      await pause(200)
      expect(sent).equal(false)
      expect(heard.chunks.length).below(3)
      call.resume()
      expect(heard.chunks.length, 'nothing arrives inside resume()').below(3)
      await eventually(() => heard.isOver, 'the end')
      expect(heard.chunks.reduce((sum, { length }) => sum + length, 0)).equal(size)
    })

    it('and resume() for each piece read no further ahead than one read', async () => {
      const opened: Socket[] = []
      const onSocket = (message: unknown) => void opened.push((message as { socket: Socket }).socket)
      diagnostics.subscribe('net.client.socket', onSocket)
      const heard = new Heard()
      let most = 0
      heard.onData = ({ length }) => {
        heard.chunks.push(Buffer.alloc(length))
        heard.call!.pause()
        setImmediate(() => {
          most = Math.max(most, opened[0]!.readableLength)
          heard.call!.resume()
        })
      }
      const piece = 'x'.repeat(4000)
      const url = await bench.server((_req, res) => {
        let left = 1000
        const more = () => {
          while (left-- > 0) if (!res.write(piece)) return
          res.end()
        }
        res.on('drain', more)
        more()
      })
      try {
        bench.send(bench.client(url), {}, heard)
        await eventually(() => heard.isOver, 'the end')
      } finally {
        diagnostics.unsubscribe('net.client.socket', onSocket)
      }
      expect(heard.text.length).equal(4_000_000)
      expect(most).within(1, 3 * 65_536)
    })

    it('and resume() may be called inside onData', async () => {
      const heard = new Heard()
      heard.onData = chunk => {
        heard.chunks.push(chunk)
        heard.call!.pause()
        heard.call!.resume()
      }
      const url = await bench.server((_req, res) => res.end('x'.repeat(1_000_000)))
      expect((await bench.outcome(bench.client(url), {}, heard)).text.length).equal(1_000_000)
    })
  })

  describe('cancel()', () => {
    it('closes the connection at once, before the head and inside the body, and makes no further call to the handler', async () => {
      for (const withHead of [false, true]) {
        let closed = false
        const before = bench.seen.length
        const url = await bench.server((_req, res) => {
          if (withHead) res.writeHead(200).write('begun')
          res.on('close', () => {
            closed = true
          })
        })
        const { call, heard } = bench.send(bench.client(url))
        await eventually(() => bench.seen.length > before && heard.chunks.length === (withHead ? 1 : 0))
        call.cancel()
        call.cancel()
        await eventually(() => closed, 'the close')
        expect(heard.events).deep.equal(withHead ? ['head'] : [])
      }
    })

    it('closes it from inside onHead and onData, and drops what has been read', async () => {
      for (const method of ['onHead', 'onData'] as const) {
        const heard = new Heard()
        heard[method] = () => {
          heard.events.push(method)
          heard.call!.cancel()
        }
        const chunks = '1\r\na\r\n1\r\nb\r\n0\r\n\r\n'
        const url = await bench.raw(
          `HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`,
        )
        bench.send(bench.client(url), {}, heard)
        await eventually(() => heard.events.includes(method), 'the call')
        await pause(30)
        expect(heard.events).deep.equal(method === 'onHead' ? ['onHead'] : ['head', 'onData'])
      }
    })

    it('ends a body that is being sent', async () => {
      let received = 0
      const url = await bench.listen(
        http.createServer(req => {
          req.on('data', ({ length }: Buffer) => {
            received += length
            req.pause()
            setTimeout(() => req.resume(), 20)
          })
        }),
      )
      const { call, heard } = bench.send(bench.client(url), { body: outgoingJson('x'.repeat(30_000_000)) })
      await eventually(() => received > 0, 'the first bytes')
      call.cancel()
      await eventually(() => bench.sockets.size === 0, 'the close')
      expect(received).below(20_000_000)
      expect(heard.events).deep.equal([])
    })

    it('aborts a connection that is being opened', async () => {
      const full = await fullPort()
      try {
        const { call, heard } = bench.send(bench.client(`http://127.0.0.1:${full.port}`, {}, 100))
        await pause(20)
        call.cancel()
        await pause(150)
        expect(heard.events).deep.equal([])
      } finally {
        await full.close()
      }
    })

    it('sends nothing when called right after send(), over a new connection or a kept one', async () => {
      const client = bench.client(await bench.server())
      for (let i = 0; i < 2; i++) {
        const { call, heard } = bench.send(client)
        call.cancel()
        await bench.answered(client)
        await pause(20)
        expect(bench.seen.length).equal(i + 1)
        expect(heard.events).deep.equal([])
      }
    })

    it('keeps a connection whose response is complete', async () => {
      const client = bench.client(await bench.server())
      const { call, heard } = bench.send(client)
      await eventually(() => heard.isOver)
      const next = bench.answered(client)
      call.cancel()
      await next
      expect(bench.connections).equal(1)
    })
  })

  describe('release()', () => {
    /** A handler that releases its call at the first piece. */
    const releasing = () => {
      const heard = new Heard()
      heard.onData = chunk => {
        heard.chunks.push(chunk)
        heard.call!.release()
      }
      return heard
    }

    it('keeps a connection whose response ends soon, and makes no further call to the handler', async () => {
      const client = bench.client(
        await bench.server((_req, res) => {
          res.write('{')
          setTimeout(() => res.end('}'), 50)
        }),
      )
      const { heard } = bench.send(client, {}, releasing())
      await pause(1200)
      await bench.answered(client)
      expect(bench.connections).equal(1)
      expect([heard.text, heard.events]).deep.equal(['{', ['head']])
    })

    it('closes a connection whose response does not end', async () => {
      const url = await bench.server((_req, res) => res.write('{'))
      const { heard } = bench.send(bench.client(url), {}, releasing())
      await eventually(() => heard.chunks.length === 1, 'the first piece')
      expect(bench.sockets.size).equal(1)
      await eventually(() => bench.sockets.size === 0, 'the close')
    })

    it('continues reading if the call was paused', async () => {
      const client = bench.client(await bench.server((_req, res) => res.end(Buffer.alloc(1_000_000))))
      const heard = new Heard()
      heard.onHead = () => {
        heard.call!.pause()
        heard.events.push('head')
      }
      const { call } = bench.send(client, {}, heard)
      await eventually(() => heard.events.length > 0, 'the head')
      call.release()
      await pause(100)
      await bench.answered(client)
      expect(bench.connections).equal(1)
    })
  })

  describe('a kept-alive connection that the backend closes as it is reused', () => {
    /** Answers the first request of each connection, and closes at the second one. */
    const forgetful = (close: (res: ServerResponse) => void) => {
      const served = new WeakSet<object>()
      return bench.server((req, res) => {
        if (served.has(req.socket)) return close(res)
        served.add(req.socket)
        res.end('{}')
      })
    }

    it('causes no error: the request is repeated over a new connection', async () => {
      for (const close of [
        (res: ServerResponse) => void res.socket!.end(),
        (res: ServerResponse) => void res.socket!.resetAndDestroy(),
      ]) {
        const client = bench.client(await forgetful(close))
        const before = bench.connections
        for (const length of [10, 300_000]) {
          await bench.answered(client, { body: outgoingJson('a'.repeat(length)) })
          expect(await bench.answered(client, { body: outgoingJson('b'.repeat(length)) })).equal('200 {}')
          expect(bench.seen.slice(-2).map(({ body }) => body === 'b'.repeat(length))).deep.equal([true, true])
        }
        expect(bench.connections - before).equal(4)
        expect(bench.seen.at(-1)!.rawHeaders.join('\n')).match(/connection\nclose/i)
      }
    })

    it('is an error the second time', async () => {
      let count = 0
      const client = bench.client(
        await bench.server((_req, res) => (++count === 1 ? res.end('{}') : res.socket!.destroy())),
      )
      await bench.answered(client)
      expect((await bench.outcome(client)).events).deep.equal(['reset'])
      expect(count).equal(3)
    })

    it('is an error after a second, or after the first byte of the response', async () => {
      for (const close of [
        (res: ServerResponse) => void setTimeout(() => res.socket!.destroy(), 1100),
        (res: ServerResponse) => void res.socket!.write('HTTP/1.1 200 OK\r\n', () => res.socket!.destroy()),
      ]) {
        const client = bench.client(await forgetful(close))
        await bench.answered(client)
        const before = bench.seen.length
        expect((await bench.outcome(client)).events).deep.equal(['reset'])
        expect(bench.seen.length - before).equal(1)
      }
    })

    it('does not cause a cancelled request to be repeated', async () => {
      const client = bench.client(await forgetful(res => void setTimeout(() => res.socket!.destroy(), 30)))
      await bench.answered(client)
      const { call, heard } = bench.send(client)
      await eventually(() => bench.seen.length === 2, 'the request')
      call.cancel()
      await pause(60)
      expect(bench.seen.length).equal(2)
      expect(heard.events).deep.equal([])
    })
  })
})
