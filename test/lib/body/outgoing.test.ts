import { Writable } from 'node:stream'
import { expect } from 'chai'
import { BufferList } from '../../../lib/body/buffer-list.ts'
import { BufferPool } from '../../../lib/body/buffer-pool.ts'
import { type OutgoingBody, outgoingParts, textBody } from '../../../lib/body/outgoing.ts'
import { drained } from '../../support/drained.ts'
import { collectGarbage } from '../../support/garbage.ts'
import { ticksDuring } from '../../support/ticks.ts'

const pool = new BufferPool()

/** Receives what is written to it; `wait` is called before each chunk is acknowledged. */
class Request extends Writable {
  readonly chunks: Buffer[] = []
  readonly #wait: (done: () => void) => void

  constructor(wait: (done: () => void) => void = done => done()) {
    super({ highWaterMark: 64 * 1024 })
    this.#wait = wait
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(Buffer.from(chunk))
    this.#wait(done)
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }
}

/** Writes a body as an HTTP client does: piece by piece, waiting for drain. Stops when `request` is destroyed. */
async function sendTo(request: Writable, body: OutgoingBody): Promise<void> {
  const progress = {
    get isFlushed() {
      return request.writableLength === 0
    },
  }
  const source = body.open(progress)
  for await (const piece of Buffer.isBuffer(source) ? [source] : source) {
    if (request.destroyed) return
    if (!request.write(piece)) await drained(request)
  }
  request.end()
}

async function sent(body: OutgoingBody, wait?: (done: () => void) => void): Promise<Request> {
  const request = new Request(wait)
  const finished = new Promise((resolve, reject) => request.on('finish', resolve).on('error', reject))
  await sendTo(request, body)
  await finished
  return request
}

/** A body with these texts, each a slice of its own between others, and what it should be as a text. */
function bodyWith(texts: readonly string[]) {
  const list = new BufferList()
  const add = (text: string) => list.add(Buffer.from(text), 0, Buffer.byteLength(text))
  for (const text of texts) {
    add('"é":"')
    add(text)
    add('",')
  }
  return { body: outgoingParts(list, pool), expected: texts.map(text => `"é":"${text}",`).join('') }
}

describe('body/outgoing', () => {
  it('is one buffer where it is small, in memory of its own', () => {
    const body = textBody('{"a":"é"}', pool)
    const bytes = body.open({ isFlushed: true }) as Buffer
    expect(bytes).deep.equal(Buffer.from('{"a":"é"}'))
    expect(bytes.buffer.byteLength).equal(bytes.length)
  })

  it('is as long as its UTF-8', () => {
    const [text, other] = ['€'.repeat(4096), '\u{1F600}'.repeat(600)]
    const [first, second] = [textBody(text, pool), textBody(other, pool)]
    expect([first.length, second.length]).deep.equal([3 * 4096, 2400])
    expect(second.open({ isFlushed: true })).deep.equal(Buffer.from(other))
  })

  it('is not kept by the connection that has sent it', async () => {
    const source = await (async () => {
      const body = textBody(JSON.stringify('x'.repeat(100_000)), pool)
      return body.open({ isFlushed: true }) as AsyncIterableIterator<Buffer>
    })()
    const memory = await (async () => new WeakRef((await source.next()).value!.buffer))()
    const isFree = async () => {
      await new Promise(setImmediate)
      collectGarbage()
      return memory.deref() === undefined
    }
    expect(await isFree()).equal(false)
    expect(await source.next()).deep.equal({ done: true, value: undefined })
    expect(await isFree()).equal(true)
  })

  it('is one write where it is one text', async () => {
    const body = textBody('{"a":"é"}', pool)
    expect(body.length).equal(10)
    const { chunks, text } = await sent(body)
    expect(text).equal('{"a":"é"}')
    expect(chunks).length(1)
  })

  it('is its slices, byte for byte, in few writes', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => `${i}é`.repeat(i === 250 ? 20_000 : 300))
    const { body, expected } = bodyWith(texts)
    expect(body.length).equal(Buffer.byteLength(expected))
    const { chunks, text } = await sent(body)
    expect(text === expected).equal(true)
    expect(chunks.length).below(25)
  })

  it('can be sent again', async () => {
    const { body, expected } = bodyWith(['x'.repeat(100_000), 'y'])
    for (let i = 0; i < 2; i++) expect((await sent(body)).text === expected).equal(true)
  })

  it('waits for drain of a slow receiver, and joins no more than was asked for', async () => {
    const { body, expected } = bodyWith(Array.from({ length: 400 }, () => 'x'.repeat(5000)))
    let waiting = 0
    const { text } = await sent(body, done => {
      waiting++
      setTimeout(done, 1)
    })
    expect(text === expected).equal(true)
    expect(waiting).above(25)

    const stuck = new Request(() => undefined)
    void sendTo(stuck, body)
    await new Promise(setImmediate)
    expect(stuck.writableLength).below(200_000)
  })

  it('uses memory again only when it has been sent', async () => {
    const [slow, fast] = ['a', 'b'].map(word => bodyWith(Array<string>(100).fill(word.repeat(5000))))
    const unsent: { readonly chunk: Buffer; readonly done: () => void }[] = []
    const request = new (class extends Writable {
      override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
        unsent.push({ chunk, done })
      }
    })()
    void sendTo(request, slow!.body)
    let text = ''
    while (!request.writableFinished) {
      expect((await sent(fast!.body)).text === fast!.expected).equal(true)
      const next = unsent.shift()
      text += next?.chunk.toString() ?? ''
      next?.done()
      await new Promise(setImmediate)
    }
    expect(text === slow!.expected).equal(true)
  })

  it('yields to the event loop, however fast the receiver is', async () => {
    const { body } = bodyWith(Array.from({ length: 12_000 }, () => 'x'.repeat(5000)))
    expect(await ticksDuring(() => sent(body))).least(4)
  })

  it('yields to the event loop when many bodies together are as large', async () => {
    const bodies = Array.from({ length: 40 }, () => bodyWith(Array.from({ length: 80 }, () => 'x'.repeat(5000))).body)
    for (const body of bodies) expect(body.length).below(512 * 1024)
    expect(await ticksDuring(() => Promise.all(bodies.map(body => sent(body))))).least(2)
  })

  it('ends when the connection does', async () => {
    const { body } = bodyWith(Array.from({ length: 1000 }, () => 'x'.repeat(5000)))
    const request = new Request(done => setImmediate(done))
    void sendTo(request, body)
    await new Promise(setImmediate)
    request.destroy()
    const { length } = request.chunks
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(request.chunks.length).equal(length)
  })
})
