/** A DNS server on a free port. A test may change its answers at any time. */
import dgram from 'node:dgram'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

export type DnsRecord =
  | { readonly type: 'A'; readonly address: string; readonly ttl?: number }
  | { readonly type: 'AAAA'; readonly address: string; readonly ttl?: number }
  | {
      readonly type: 'SRV'
      readonly target: string
      readonly port: number
      readonly ttl?: number
      readonly priority?: number
      readonly weight?: number
    }

/** Records of a name, or the way in which the server fails: an RCODE, or no answer. */
export type DnsAnswer = readonly DnsRecord[] | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'silence'

export interface DnsServer {
  /** For `servers`: address and port. */
  readonly address: string
  /** By name, in lower case. Other names do not exist. */
  readonly names: Map<string, DnsAnswer>
  /** Queries: `A name`. */
  readonly asked: string[]
  close(): Promise<void>
}

const TYPES: Readonly<Record<number, DnsRecord['type']>> = { 1: 'A', 28: 'AAAA', 33: 'SRV' }
const NUMBERS = { A: 1, AAAA: 28, SRV: 33 } as const
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

/** Larger answers are truncated, and queried again over TCP. */
const MOST_UDP_BYTES = 1200

export async function dnsServer(): Promise<DnsServer> {
  const names = new Map<string, DnsAnswer>()
  const asked: string[] = []
  const answer = (query: Buffer) => answerTo(query, names, asked)
  const tcp = net.createServer(socket => {
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const reply = answer(received.subarray(2, 2 + received.readUInt16BE(0)))
        received = received.subarray(2 + received.readUInt16BE(0))
        if (reply === undefined) continue
        const size = Buffer.alloc(2)
        size.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([size, reply]))
      }
    })
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = dgram.createSocket('udp4', (query, from) => {
    const reply = answer(query)
    if (reply === undefined) return
    udp.send(reply.length > MOST_UDP_BYTES ? truncated(query) : reply, from.port, from.address)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    address: `127.0.0.1:${port}`,
    names,
    asked,
    close: async () => {
      udp.close()
      tcp.close()
    },
  }
}

function answerTo(query: Buffer, names: ReadonlyMap<string, DnsAnswer>, asked: string[]): Buffer | undefined {
  const { name, type, end } = questionOf(query)
  asked.push(`${type ?? '?'} ${name}`)
  const found = names.get(name) ?? 'NXDOMAIN'
  if (found === 'silence') return undefined
  const question = query.subarray(12, end)
  if (typeof found === 'string') return Buffer.concat([head(query, CODES[found], 0), question])
  const records = found.filter(record => record.type === type).map(encoded)
  return Buffer.concat([head(query, 0, records.length), question, ...records])
}

function truncated(query: Buffer): Buffer {
  const reply = Buffer.concat([head(query, 0, 0), query.subarray(12, questionOf(query).end)])
  reply.writeUInt16BE(reply.readUInt16BE(2) | 0x0200, 2)
  return reply
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)], end: at + 5 }
}

function head(query: Buffer, code: number, records: number): Buffer {
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records, 6)
  return head
}

function encoded(record: DnsRecord): Buffer {
  const data = dataOf(record)
  const fixed = Buffer.alloc(12)
  // The name of the question.
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(NUMBERS[record.type], 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(record.ttl ?? 60, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}

function dataOf(record: DnsRecord): Buffer {
  if (record.type === 'A') return Buffer.from(record.address.split('.').map(Number))
  if (record.type === 'AAAA') return wordsOf(record.address)
  const fixed = Buffer.alloc(6)
  fixed.writeUInt16BE(record.priority ?? 0, 0)
  fixed.writeUInt16BE(record.weight ?? 0, 2)
  fixed.writeUInt16BE(record.port, 4)
  const labels = record.target.split('.').map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([fixed, ...labels, Buffer.from([0])])
}

/** An IPv6 address of eight words, or with one `::`. */
function wordsOf(address: string): Buffer {
  const [before = '', after] = address.split('::')
  const words = (text: string) => (text === '' ? [] : text.split(':').map(word => Number.parseInt(word, 16)))
  const first = words(before)
  const last = after === undefined ? [] : words(after)
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  const bytes = Buffer.alloc(16)
  for (const [i, word] of all.entries()) bytes.writeUInt16BE(word, 2 * i)
  return bytes
}
