import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { askWorkersAbout } from '../../../lib/process/worker-backends.ts'

/** A worker that answers a request with these messages. */
function worker(answers: readonly unknown[], connected = true): Worker & EventEmitter {
  const emitter = new EventEmitter()
  return Object.assign(emitter, {
    isConnected: () => connected,
    send: () => setImmediate(() => answers.map(answer => emitter.emit('message', answer))),
  }) as unknown as Worker & EventEmitter
}

/** answerPrimaryAbout() is tried with real workers in test/lib/cli/backends.slow.test.ts. */
describe('askWorkersAbout', () => {
  it('gets the answers of the workers that answer in time', async () => {
    const workers = [
      worker([{ unready: [] }, { about: 'live', value: {} }, { about: 'backends', value: [{ model: 'm' }] }]),
      worker([]),
      worker([{ about: 'backends', value: [{ model: 'n' }] }], false),
    ]
    expect(await askWorkersAbout('backends', workers, 300)).deep.equal([[{ model: 'm' }]])
    expect(workers.map(one => one.listenerCount('message'))).deep.equal([0, 0, 0])
  })
})
