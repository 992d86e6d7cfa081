import { expect } from 'chai'
import { SlowUploads } from '../../../lib/body/slow-uploads.ts'
import { eventually } from '../../support/gateway.ts'

const upload = () => ({
  received: 0,
  stalled: 0,
  onStalled() {
    this.stalled++
  },
})

describe('body/slow-uploads', () => {
  it('aborts what does not progress, and nothing else', async () => {
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

  it('can be without an end', () => {
    const uploads = new SlowUploads(Number.POSITIVE_INFINITY)
    uploads.watch(upload())
    expect(uploads.count).equal(1)
  })
})
