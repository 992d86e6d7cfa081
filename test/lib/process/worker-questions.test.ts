import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { answerPrimary, askWorker } from '../../../lib/process/worker-questions.ts'

/** A worker whose messages come from `answer`. */
class FakeWorker extends EventEmitter {
  readonly sent: { asked: number; question: string }[] = []
  send(message: { asked: number; question: string }): void {
    this.sent.push(message)
  }
}

describe('questions to workers', () => {
  it('get the answer that belongs to them, and leave nothing behind', async () => {
    const worker = new FakeWorker()
    const ask = (question: string) => askWorker(worker as unknown as Worker, question)
    const [first, second] = [ask('a'), ask('b')]
    worker.emit('message', 'noise')
    for (const { asked, question } of worker.sent.toReversed())
      worker.emit('message', { answered: asked, answer: `to ${question}` })
    expect(await Promise.all([first, second])).deep.equal(['to a', 'to b'])
    expect(worker.listenerCount('message')).equal(0)
  })

  it('are answered by a worker', () => {
    const before = process.listeners('message')
    const { send } = process
    const sent: unknown[] = []
    process.send = (message: unknown) => sent.push(message) > 0
    try {
      answerPrimary(question => question.toUpperCase())
      const [listener] = process.listeners('message').filter(one => !before.includes(one))
      for (const message of [null, { asked: 'x', question: 'no' }, { asked: 3, question: 'yes' }])
        listener!(message, undefined)
      process.off('message', listener!)
      expect(sent).deep.equal([{ answered: 3, answer: 'YES' }])
    } finally {
      if (send === undefined) delete process.send
      else process.send = send
    }
  })
})
