import { expect } from 'chai'
import { VirtualTime } from '../../../../bench/routing/virtual-time.ts'
import { Backend } from '../../../../lib/backends/backend.ts'
import type { BackendConfig } from '../../../../lib/config/config.ts'
import { loadedRequest } from '../../../../lib/routing/backend-load.ts'
import { hashKey } from '../../../../lib/routing/chunk-hash.ts'
import { ModelBeliefs } from '../../../../lib/routing/model-beliefs.ts'
import { promptOf } from '../../../../lib/routing/prompt.ts'
import { RoutedBackend } from '../../../../lib/routing/routed-backend.ts'
import { decodeMessage } from '../../../../lib/routing/sharing/message.ts'
import { Sharing } from '../../../../lib/routing/sharing/sharing.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { ManualClock } from '../../../support/clock.ts'
import { eventually } from '../../../support/gateway.ts'

const URLS = ['http://gpu1/v1', 'http://gpu2/v1']

const queuedRequest = () => loadedRequest({ promptTokens: 3000, newTokens: 2000, prefillMs: 40 })

/** Processes that receive all messages, including their own. */
class Processes {
  readonly clock = new ManualClock()
  readonly messages: string[] = []
  readonly #all: Sharing[] = []

  start(
    id: string,
    members: Partial<BackendConfig> = {},
    secret = 'a secret of sixteen',
  ): { sharing: Sharing; backends: RoutedBackend[] } {
    const backends = URLS.map(url => {
      const routed = new RoutedBackend(
        new Backend('m', backendConfig({ url, ...members }), this.clock, {}),
        new ModelBeliefs(),
      )
      routed.fit(0.25, 0)
      return routed
    })
    const sharing = new Sharing({
      clock: this.clock,
      id,
      secret,
      backends: () => backends,
      publish: message => {
        this.messages.push(message)
        for (const one of this.#all) one.receive(message)
      },
    })
    this.#all.push(sharing)
    return { sharing, backends }
  }

  close(): void {
    for (const sharing of this.#all) sharing.close()
  }
}

function prompt(text: string, isPrivate = false) {
  const request = chatRequest({ messages: [{ role: 'user', content: text.repeat(2000) }], stream: true })
  return promptOf(request, {
    key: hashKey(Buffer.alloc(16, 1)),
    seed: 'm',
    session: undefined,
    isSystemFirst: true,
    isPrivate,
  })
}

describe('Sharing', () => {
  let processes: Processes
  beforeEach(() => {
    processes = new Processes()
  })
  afterEach(() => processes.close())

  it('sends prompts and loads of backends to other processes', async () => {
    const [one, two] = [processes.start('1'), processes.start('2')]
    const sent = prompt('hello ')
    const queued = queuedRequest()
    one.backends[0]!.load.sent(queued, processes.clock.monotonic())
    one.sharing.placed(one.backends[0]!, sent)
    await eventually(() => processes.messages.length > 0, 'told')
    const [first, second] = two.backends
    expect(first!.index.match(sent.hashes, true)).equal(sent.hashes.length / 2)
    expect(second!.index.size).equal(0)
    expect([first!.load.queued, first!.load.promptTokens, first!.load.wait(processes.clock.monotonic())]).deep.equal([
      1, 3000, 40,
    ])
    // A process ignores its own message.
    expect(one.backends[0]!.load.queued).equal(1)
    one.backends[0]!.load.ended(queued, processes.clock.monotonic())
    one.sharing.changed(one.backends[0]!)
    await eventually(() => first!.load.promptTokens === 0, 'told that it is over')
  })

  it('sends simultaneous changes in one message', async () => {
    const { sharing, backends } = processes.start('1')
    for (let i = 0; i < 5; i++) sharing.placed(backends[i % 2]!, prompt(`p${i}`))
    await eventually(() => processes.messages.length > 0, 'told')
    expect(processes.messages).length(1)
  })

  it('sends the first change at once, and those of the next 5 ms together', () => {
    const time = new VirtualTime()
    const messages: string[] = []
    const routed = new RoutedBackend(new Backend('m', backendConfig({}), time, {}), new ModelBeliefs())
    const sharing = new Sharing({
      clock: time,
      after: time.after,
      id: '1',
      secret: 'a secret of sixteen',
      backends: () => [routed],
      publish: message => void messages.push(`${time.ms} ${decodeMessage(message)!.backends[0]!.prompts.length}`),
    })
    for (const at of [0, 1, 3, 4, 30]) time.after(at, () => sharing.placed(routed, prompt(`at ${at}`)))
    while (time.next < 40) time.step()
    sharing.close()
    expect(messages).deep.equal(['0 1', '5 3', '30 1'])
  })

  it('sends lines of batches apart from other requests, if the process has batches', () => {
    const time = new VirtualTime()
    const backend = new Backend('m', backendConfig({}), time, {})
    const all = [true, true, false].map(hasLines => ({
      routed: new RoutedBackend(backend, new ModelBeliefs()),
      hasLines: () => hasLines,
      messages: [] as string[],
    }))
    const sharings = all.map(
      ({ routed, hasLines, messages }, i) =>
        new Sharing({
          clock: time,
          after: time.after,
          id: String(i),
          secret: 'a secret of sixteen',
          backends: () => [routed],
          publish: message => {
            messages.push(message)
            for (const sharing of sharings) sharing.receive(message)
          },
          hasLines,
        }),
    )
    const [one, two, three] = all.map(({ routed }) => routed)
    const line = queuedRequest()
    one!.lines.load.sent(line, 0)
    one!.lines.sent(50, 50, 0)
    one!.lines.interactiveSent(0)
    sharings[0]!.placed(one!, prompt('line '), true)
    time.after(1, () => {})
    while (time.next <= 1) time.step()
    expect([two!.lines.count, two!.load.queued]).deep.equal([1, 0])
    expect(two!.index.lineChunks).equal(two!.index.size).above(0)
    expect(two!.lines.metMs(0)).closeTo(one!.lines.metMs(0), 1e-3)
    expect(two!.lines.interactiveAt).equal(0)
    one!.lines.load.ended(line, 1)
    sharings[0]!.changed(one!)
    while (time.next < 10) time.step()
    expect(two!.lines.count).equal(0)
    // A process without batches sends messages as before.
    sharings[2]!.placed(three!, prompt('x '))
    while (time.next < 20) time.step()
    expect(decodeMessage(all[2]!.messages[0]!)!.backends[0]!).not.have.property('lines')
    // The effects of a process that is silent are forgotten.
    sharings[0]!.close()
    while (time.next < 5000) time.step()
    expect(two!.lines.metMs(time.ms)).equal(0)
    for (const sharing of sharings) sharing.close()
  })

  it('asks the process with the most lines at a backend for a place', () => {
    const time = new VirtualTime()
    const backend = new Backend('m', backendConfig({}), time, {})
    const wanted: number[] = []
    const all = [0, 1, 2].map(() => new RoutedBackend(backend, new ModelBeliefs()))
    const sharings = all.map(
      (routed, i): Sharing =>
        new Sharing({
          clock: time,
          after: time.after,
          id: String(i),
          secret: 'a secret of sixteen',
          backends: () => [routed],
          publish: message => {
            for (const sharing of sharings) sharing.receive(message)
          },
          hasLines: () => true,
          onWanted: () => wanted.push(i),
        }),
    )
    sharings[0]!.wantPlace(all[0]!)
    for (const [i, count] of [0, 1, 2].entries()) {
      for (let n = 0; n < count; n++) all[i]!.lines.load.sent(queuedRequest(), 0)
      sharings[i]!.changed(all[i]!)
    }
    while (time.next < 20) time.step()
    expect(wanted).deep.equal([])
    sharings[0]!.wantPlace(all[0]!)
    expect(wanted).deep.equal([2])
    for (const sharing of sharings) sharing.close()
  })

  it('never sends hashes of private prompts, only their load', async () => {
    const [one, two] = [processes.start('1'), processes.start('2')]
    one.backends[0]!.load.sent(queuedRequest(), processes.clock.monotonic())
    one.sharing.placed(one.backends[0]!, prompt('private ', true))
    await eventually(() => two.backends[0]!.load.promptTokens === 3000, 'counted')
    expect(two.backends[0]!.index.size).equal(0)
    expect(processes.messages[0]!.length).below(120)
  })

  it('sends neither text nor addresses nor names of models', async () => {
    const { sharing, backends } = processes.start('1')
    sharing.placed(backends[0]!, prompt('confidential '))
    await eventually(() => processes.messages.length > 0, 'told')
    expect(processes.messages[0]).not.match(/confidential|gpu1|upstream-model/)
  })

  it('repeats a load that does not change, and drops the load of a silent process', async () => {
    const [one, two] = [processes.start('1'), processes.start('2')]
    one.backends[0]!.load.sent(queuedRequest(), processes.clock.monotonic())
    one.sharing.placed(one.backends[0]!, prompt('hello '))
    await eventually(() => processes.messages.length > 2, 'told again')
    expect(two.backends[0]!.load.promptTokens).equal(3000)
    one.sharing.close()
    processes.clock.advance(2001)
    await eventually(() => two.backends[0]!.load.promptTokens === 0, 'forgotten')
  })

  it('ignores messages with another secret, of unknown backends, and invalid ones', async () => {
    const [one, two, other] = [
      processes.start('1'),
      processes.start('2', {}, 'another secret 16'),
      processes.start('3', { model: 'other' }),
    ]
    one.sharing.placed(one.backends[0]!, prompt('hello '))
    await eventually(() => processes.messages.length > 0, 'told')
    two.sharing.receive('nonsense')
    for (const { backends } of [two, other]) expect(backends.map(({ index }) => index.size)).deep.equal([0, 0])
  })
})
