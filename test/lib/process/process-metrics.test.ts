import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { processMetrics, startTime } from '../../../lib/process/process-metrics.ts'
import packageJson from '../../../package.json' with { type: 'json' }

describe('process/process-metrics', () => {
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
