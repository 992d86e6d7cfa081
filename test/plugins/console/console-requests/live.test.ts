import { text as textOf } from 'node:stream/consumers'
import { expect } from 'chai'
import { LiveStreams } from '../../../../plugins/console/console-requests/live.ts'

const never = new AbortController().signal
const MAX_STREAMS = 200

/** Opens streams of other sessions until there is no room. Returns their number. */
function roomIn(streams: LiveStreams): number {
  const gone = new AbortController()
  let opened = 0
  for (; ; opened++) {
    const stream = streams.open(`other ${opened}`, async () => 'a', gone.signal, 'a')
    if (stream === undefined) break
    void textOf(stream)
  }
  gone.abort()
  return opened
}

describe('live streams', () => {
  it('announce new requests, and end when their time is over', async () => {
    const answers = ['a', 'a', 'b', 'b']
    const streams = new LiveStreams(1, 4)
    const text = await textOf(streams.open('s', async () => answers.shift(), never, 'a')!)
    expect(text.match(/event: changed\nid: b\ndata: b\n\n/g)).length(1)
    expect(text.match(/: nothing new/g)).length(3)
    expect(roomIn(streams)).equal(MAX_STREAMS)
  })

  it('announce requests between the page and the stream', async () => {
    expect(await textOf(new LiveStreams(1, 1).open('s', async () => 'b', never, 'a')!)).contain('changed')
  })

  it('end with the session', async () => {
    const answers = ['a', undefined, 'b']
    const text = await textOf(new LiveStreams(1, 1000).open('s', async () => answers.shift(), never, 'a')!)
    expect(text).not.contain('changed')
    expect(answers).deep.equal(['b'])
  })

  it('end when the browser has disconnected, and when the store fails', async () => {
    const gone = new AbortController()
    const streams = new LiveStreams(60_000)
    const stream = streams.open('s', async () => 'a', gone.signal, 'a')!
    const text = textOf(stream)
    gone.abort()
    expect(await text)
      .contain('retry: 1000\n\n')
      .and.not.contain('changed')
    const broken = () => Promise.reject(new Error('no store'))
    expect(await textOf(streams.open('s', broken, never, '')!).catch(String)).contain('no store')
    expect(roomIn(streams)).equal(MAX_STREAMS)
  })

  it('are two for a session, and bounded for all', async () => {
    const streams = new LiveStreams(60_000)
    const gone = new AbortController()
    const open = (session: string) => streams.open(session, async () => 'a', gone.signal, 'a')
    const [first, second, third] = ['s', 's', 's'].map(session => textOf(open(session)!))
    expect(await first).contain('retry')
    expect(roomIn(streams)).equal(MAX_STREAMS - 2)
    gone.abort()
    await Promise.all([second, third])
  })
})
