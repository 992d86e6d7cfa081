import { expect } from 'chai'
import fc from 'fast-check'
import { Histogram } from 'prom-client'
import { addGap, newTokenPace, observePace } from '../../../plugins/telemetry/token-pace.ts'
import { eventually } from '../../support/gateway.ts'

const BOUNDS = [0.01, 0.05, 1]

const newHistogram = () => new Histogram({ name: 'pace_seconds', help: 'Pace.', buckets: BOUNDS, registers: [] })

describe('token pace', () => {
  it('counts each gap in its bucket, and adds up all of them', async () => {
    const gap = fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.constantFrom(0, ...BOUNDS))
    await fc.assert(
      fc.asyncProperty(fc.array(gap, { maxLength: 30 }), async gaps => {
        const [gathered, observed] = [newHistogram(), newHistogram()]
        const pace = newTokenPace(BOUNDS)
        for (const seconds of gaps) {
          addGap(pace, seconds)
          observed.observe(seconds)
        }
        await observePace(gathered, pace)
        const [ours, theirs] = [(await gathered.get()).values, (await observed.get()).values]
        for (const [i, { metricName, value }] of theirs.entries()) {
          if (metricName === 'pace_seconds_sum') expect(ours[i]!.value).closeTo(value, 1e-9)
          else expect(ours[i]).deep.equal(theirs[i])
        }
      }),
      { numRuns: 200 },
    )
  })

  it('does not block the event loop while it observes thousands of gaps', async () => {
    const pace = newTokenPace(BOUNDS)
    for (let i = 0; i < 3500; i++) addGap(pace, 0.02)
    let observed = 0
    const added = observePace({ observe: () => observed++ }, pace)
    expect(observed).equal(1000)
    await eventually(() => observed === 3500, 'all gaps')
    await added
  })
})
