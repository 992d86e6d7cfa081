import { systemClock } from '../../../../lib/base/clock.ts'
import { memoryLimits } from '../../../../lib/limits/memory/limits.ts'
import { type Instances, limitsSuite, TestLedger } from '../../../support/limits.ts'
import { requestLimitsSuite } from '../../../support/request-limits.ts'

describe('limits in memory', () => {
  let instances: Instances
  before(() => {
    const ledger = new TestLedger()
    const start = () => {
      const limits = memoryLimits(systemClock, ledger.view())
      instances = { pair: [limits, limits], ledger, crash }
    }
    const crash = async () => {
      await instances.pair[0].close()
      start()
    }
    start()
  })
  after(() => instances.pair[0].close())
  limitsSuite(() => instances)
  requestLimitsSuite(() => instances)
})
