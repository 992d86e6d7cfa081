import { expect } from 'chai'
import { type BodyCharge, BodyMemory, type MemoryLimits, SlowUploads } from '../../../lib/body/memory.ts'
import type { GatewayError } from '../../../lib/errors/errors.ts'
import { eventually } from '../../support/gateway.ts'
import { refusalOf } from '../../support/refusal.ts'

const LIMITS: MemoryLimits = { bodiesBytes: 1000, accountShare: 0.5, waitMs: 60_000 }

/** The memory, with charges of these accounts. */
function memoryWith(limits: Partial<MemoryLimits>, ...held: readonly (readonly [account: string, bytes: number])[]) {
  const refused: string[] = []
  const memory = new BodyMemory({ ...LIMITS, ...limits })
  memory.onRefused = limit => refused.push(limit)
  const charges = held.map(([account, bytes]) => {
    const charge = memory.open(account)
    expect(charge.reserve(bytes)).equal(undefined)
    return charge
  })
  return { memory, charges: charges as BodyCharge[], refused }
}

const rejection = (waiting: Promise<void> | undefined): Promise<GatewayError> =>
  waiting!.then(
    () => expect.fail('the memory was charged'),
    (error: unknown) => error as GatewayError,
  )

describe('body/memory', () => {
  it('charges a body, and returns everything once', () => {
    const { memory, charges } = memoryWith({}, ['a', 100], ['a', 50], ['b', 7])
    charges[0]!.grow(20)
    expect(memory.used).equal(177)
    charges[0]!.release()
    charges[0]!.release()
    expect(memory.used).equal(57)
    charges[0]!.grow(500)
    expect(charges[0]!.reserve(500)).equal(undefined)
    expect(memory.used).equal(57)
    charges[1]!.release()
    charges[2]!.release()
    expect(memory.used).equal(0)
  })

  it('corrects a charge in both directions', () => {
    const { memory, charges } = memoryWith({}, ['a', 400])
    charges[0]!.settle(150)
    expect([memory.used, charges[0]!.held, charges[0]!.max]).deep.equal([150, 150, 500])
    charges[0]!.settle(200)
    expect(memory.used).equal(200)
    charges[0]!.release()
    charges[0]!.settle(1)
    expect(memory.used).equal(0)
  })

  it('makes a body wait for its account, but not those of other accounts', async () => {
    const { memory, charges } = memoryWith({}, ['a', 400])
    const second = memory.open('a')
    let got = false
    const waiting = second.reserve(200)!.then(() => {
      got = true
    })
    expect(memory.open('b').reserve(500)).equal(undefined)
    expect([memory.waiting, got, memory.used]).deep.equal([1, false, 900])
    charges[0]!.release()
    await waiting
    expect([memory.waiting, memory.used, second.held]).deep.equal([0, 700, 200])
  })

  it('refuses a body after its wait: 429 for the account, 503 for the process', async () => {
    const { memory, charges, refused } = memoryWith({ waitMs: 1 }, ['a', 400], ['b', 400])
    const ofAccount = await rejection(memory.open('a').reserve(200))
    expect(ofAccount).include({ code: 'request_memory_exceeded', status: 429, type: 'rate_limit_error' })
    expect(ofAccount.details.headers).deep.equal({
      'retry-after': '1',
      'ratelimit-limit': '500',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    })
    const ofProcess = await rejection(memory.open('c').reserve(300))
    expect(ofProcess).include({ code: 'gateway_overloaded', status: 503, type: 'server_error' })
    expect(ofProcess.details.headers).deep.equal({ 'retry-after': '1' })
    expect(refused).deep.equal(['account', 'process'])
    expect([memory.waiting, memory.used]).deep.equal([0, 800])
    for (const charge of charges) charge.release()
    expect(memory.used).equal(0)
  })

  it('refuses a body that holds memory and needs more than is left, without a wait', () => {
    const { memory, charges, refused } = memoryWith({}, ['a', 250], ['a', 250], ['b', 400])
    expect(refusalOf(() => charges[0]!.grow(1))).include({ code: 'request_memory_exceeded' })
    charges[0]!.release()
    charges[1]!.settle(400)
    charges[2]!.settle(410)
    expect(refusalOf(() => memory.open('c').grow(200))).include({ code: 'gateway_overloaded' })
    expect(refused).deep.equal(['account', 'process'])
  })

  it('refuses a body larger than the share of an account with 413', () => {
    const { memory, charges } = memoryWith({}, ['a', 300])
    expect(refusalOf(() => void memory.open('b').reserve(501))).include({ code: 'request_body_too_large', status: 413 })
    expect(refusalOf(() => charges[0]!.grow(201))).include({ code: 'request_body_too_large' })
    expect(memory.used).equal(300)
  })

  it('forgets a body that is released while it waits', async () => {
    const { memory, charges, refused } = memoryWith({}, ['a', 500])
    const gone = memory.open('a')
    const waiting = rejection(gone.reserve(10))
    gone.release()
    await waiting
    charges[0]!.release()
    expect([memory.waiting, memory.used, refused.length]).deep.equal([0, 0, 0])
  })

  it('limits the number of waiting bodies', async () => {
    const { memory } = memoryWith({}, ['a', 500])
    const waiting = Array.from({ length: 2000 }, () => rejection(memory.open('a').reserve(1)))
    expect(memory.waiting).below(2000)
    expect(await Promise.race(waiting.slice(-1))).include({ code: 'request_memory_exceeded' })
    memory.update({ ...LIMITS, bodiesBytes: 10_000 })
    await eventually(() => memory.waiting === 0)
  })

  it('charges waiting bodies when a reload adds memory', async () => {
    const { memory } = memoryWith({}, ['a', 500])
    const waiting = memory.open('a').reserve(100)!
    memory.update({ ...LIMITS, bodiesBytes: 2000 })
    await waiting
    expect(memory.used).equal(600)
  })
})

const upload = () => ({
  received: 0,
  stalled: 0,
  onStalled() {
    this.stalled++
  },
})

describe('body/memory: slow uploads', () => {
  it('aborts only uploads that do not progress', async () => {
    const uploads = new SlowUploads(20)
    const [idle, trickling, busy, over] = [upload(), upload(), upload(), upload()]
    const pace = setInterval(() => {
      trickling.received++
      busy.received += 10_000
    }, 1)
    for (const one of [idle, trickling, busy]) uploads.watch(one)
    uploads.watch(over)()
    expect(uploads.count).equal(3)
    await eventually(() => idle.stalled > 0 && trickling.stalled > 0)
    clearInterval(pace)
    uploads.close()
    expect([busy.stalled, over.stalled]).deep.equal([0, 0])
  })

  it('may have no limit', () => {
    const uploads = new SlowUploads(Number.POSITIVE_INFINITY)
    uploads.watch(upload())
    expect(uploads.count).equal(1)
  })
})
