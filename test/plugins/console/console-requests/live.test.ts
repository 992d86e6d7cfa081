import { text as textOf } from 'node:stream/consumers'
import { expect } from 'chai'
import { LiveStreams, type Look, MOST_STREAMS } from '../../../../plugins/console/console-requests/live.ts'

const never = new AbortController().signal

describe('live streams', () => {
  it('say when something is new, and end when their time is over', async () => {
    const answers = ['a', 'a', 'b', 'b']
    const streams = new LiveStreams()
    const text = await textOf(streams.open('s', async () => answers.shift(), never, 'a', 1, 4)!)
    expect(text.match(/event: changed\nid: b\ndata: b\n\n/g)).length(1)
    expect(text.match(/: nothing new/g)).length(3)
    expect(streams.count).equal(0)
  })

  it('say what came between the page and the stream', async () => {
    expect(await textOf(new LiveStreams().open('s', async () => 'b', never, 'a', 1, 1)!)).contain('changed')
  })

  it('end with the session', async () => {
    const answers = ['a', undefined, 'b']
    const text = await textOf(new LiveStreams().open('s', async () => answers.shift(), never, 'a', 1, 1000)!)
    expect(text).not.contain('changed')
    expect(answers).deep.equal(['b'])
  })

  it('end when the browser has gone, and where the store fails', async () => {
    const gone = new AbortController()
    const streams = new LiveStreams()
    const stream = streams.open('s', async () => 'a', gone.signal, 'a', 60_000)!
    const text = textOf(stream)
    gone.abort()
    expect(await text)
      .contain('retry: 1000\n\n')
      .and.not.contain('changed')
    const broken: Look = () => Promise.reject(new Error('no store'))
    expect(await textOf(streams.open('s', broken, never, '')!).catch(String)).contain('no store')
    expect(streams.count).equal(0)
  })

  it('are two for a session, and bounded for all', async () => {
    const streams = new LiveStreams()
    const gone = new AbortController()
    const look: Look = async () => 'a'
    const open = (session: string) => streams.open(session, look, gone.signal, 'a', 60_000)
    const [first, second, third] = ['s', 's', 's'].map(session => textOf(open(session)!))
    expect(await first).contain('retry')
    for (let i = 2; i < MOST_STREAMS; i++) void textOf(open(`s${i}`)!)
    expect(streams.count).equal(MOST_STREAMS)
    expect(open('one more')).equal(undefined)
    gone.abort()
    await Promise.all([second, third])
  })
})
