import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { GatewayState, processMetrics, startTime } from '../../../lib/process/state.ts'
import packageJson from '../../../package.json' with { type: 'json' }

describe('the state of a gateway', () => {
  it('has what the process knows now, and the last reload', async () => {
    const reasons: string[] = []
    const state = new GatewayState('a.yaml', {
      readiness: () => reasons,
      metrics: { metrics: async () => 'x 1\n' },
      pids: () => [1, 2],
    })
    expect(await state.read()).include({ file: 'a.yaml', metrics: 'x 1\n', lastReload: undefined })
    state.noteReload(['no'])
    reasons.push('draining')
    const later = await state.read()
    expect([later.lastReload?.problems, later.unready, later.pids]).deep.equal([['no'], ['draining'], [1, 2]])
  })
})

describe('the metrics of a whole gateway', () => {
  it('shows both versions', async () => {
    const metrics = new Metrics()
    processMetrics(metrics)
    expect(await metrics.registry.metrics()).contain(
      `sluiceway_build_info{version="${packageJson.version}",node="${process.versions.node}"} 1`,
    )
  })

  it('shows how the last reload ended, and when the running configuration was applied', async () => {
    const metrics = new Metrics()
    const shown = processMetrics(metrics)
    const read = async (name: string) =>
      Number(new RegExp(`^sluiceway_${name} (\\S+)$`, 'm').exec(await metrics.registry.metrics())?.[1])
    const successAt = () => read('config_last_reload_success_timestamp_seconds')
    expect(await read('config_last_reload_successful')).equal(1)
    const started = await successAt()
    expect(started).closeTo(Date.now() / 1000, 60)
    shown.reloaded(false)
    expect(await read('config_last_reload_successful')).equal(0)
    expect(await successAt()).equal(started)
    shown.reloaded(true)
    expect(await read('config_last_reload_successful')).equal(1)
    expect(await successAt()).least(started)
    expect(await read('worker_restarts_total')).equal(0)
    shown.workerRestarted()
    expect(await read('worker_restarts_total')).equal(1)
  })

  it('shows the start of the process', async () => {
    const metrics = new Metrics()
    startTime(metrics)
    const [, start] = /^process_start_time_seconds (\d+)$/m.exec(await metrics.registry.metrics()) ?? []
    expect(Number(start)).closeTo(Date.now() / 1000 - process.uptime(), 2)
  })
})
