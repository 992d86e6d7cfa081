import { createSocket, type Socket } from 'node:dgram'
import { expect } from 'chai'
import { resolveBy } from '../../../../lib/transport/public-http/dns.ts'

const A = 1
const AAAA = 28

/** Record data by name and type. Queries for other names get no answer. */
type Zone = Readonly<Record<string, Readonly<Partial<Record<number, readonly Buffer[]>>>>>

/** A name server for one zone. */
function serve(zone: Zone): Promise<{ socket: Socket; address: string }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const reply = answer(query, zone)
    if (reply !== undefined) socket.send(reply, from.port, from.address)
  })
  return new Promise(resolve => {
    socket.bind(0, '127.0.0.1', () => resolve({ socket, address: `127.0.0.1:${socket.address().port}` }))
  })
}

function answer(query: Buffer, zone: Zone): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const records = zone[labels.join('.')]
  if (records === undefined) return undefined
  const type = query.readUInt16BE(at + 1)
  const data = records[type] ?? []
  const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, data.length, 0, 0, 0, 0])
  // Each record points back to the name of the question.
  const resources = data.map(one =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, one.length]), one]),
  )
  return Buffer.concat([header, query.subarray(12, at + 5), ...resources])
}

describe('DNS of public hosts', () => {
  let socket: Socket
  let address: string
  before(async () => {
    const loopback6 = Buffer.alloc(16)
    loopback6[15] = 1
    ;({ socket, address } = await serve({
      'both.test': { [A]: [Buffer.from([192, 0, 2, 1]), Buffer.from([127, 0, 0, 1])], [AAAA]: [loopback6] },
      'six.test': { [AAAA]: [loopback6] },
      'none.test': {},
    }))
  })
  after(() => socket.close())

  it('returns every address of a name, of both kinds', async () => {
    const resolve = resolveBy([address])
    const signal = AbortSignal.timeout(5000)
    const found = await resolve('both.test', signal)
    expect(found.slice(0, 2)).have.members(['192.0.2.1', '127.0.0.1'])
    expect(found.slice(2)).deep.equal(['::1'])
    expect(await resolve('six.test', signal)).deep.equal(['::1'])
    expect(await resolve('none.test', signal)).deep.equal([])
  })

  it('stops waiting when it is aborted', async () => {
    const resolve = resolveBy([address])
    expect(await resolve('silent.test', AbortSignal.timeout(50))).deep.equal([])
    const reason = await resolve('silent.test', AbortSignal.abort()).catch((error: Error) => error.name)
    expect(reason).equal('AbortError')
  })
})
