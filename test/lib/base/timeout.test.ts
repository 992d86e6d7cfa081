import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { within, withinListening } from '../../../lib/base/timeout.ts'

describe('within', () => {
  const outcome = (work: Promise<unknown>) => work.catch((error: Error) => error.message)

  it('resolves or rejects as the work does', async () => {
    expect(await within(1000, 'late', Promise.resolve(1))).equal(1)
    expect(await outcome(within(1000, 'late', Promise.reject(new Error('bad'))))).equal('bad')
  })

  it('rejects when the time is up', async () => {
    expect(await outcome(within(20, 'late', new Promise(() => {})))).equal('late')
  })

  it('accepts an answer that arrived while this process was busy', async () => {
    const echo = `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', text => parentPort.postMessage(text))`
    const worker = new Worker(echo, { eval: true })
    await once(worker, 'online')
    const answer = once(worker, 'message').then(([text]) => text as string)
    worker.postMessage('here')
    const asked = within(20, 'late', answer)
    // Blocks this thread until the answer has arrived and the time is up.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
    expect(await outcome(asked)).equal('here')
    await worker.terminate()
  })
})

describe('withinListening', () => {
  const outcome = (work: Promise<unknown>) => work.catch((error: Error) => error.message)
  const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  it('resolves or rejects as the work does, or when the time is up', async () => {
    expect(await withinListening(1000, 'late', Promise.resolve(1))).equal(1)
    expect(await outcome(withinListening(1000, 'late', Promise.reject(new Error('bad'))))).equal('bad')
    expect(await outcome(withinListening(20, 'late', new Promise(() => {})))).equal('late')
  })

  it('does not count the time in which this process was busy', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const asked = outcome(withinListening(500, 'late', promise))
    for (let i = 0; i < 3; i++) {
      block(600)
      await new Promise(setImmediate)
    }
    // The process was busy for three times the limit. An answer still counts.
    resolve('here')
    expect(await asked).equal('here')
  })
})
