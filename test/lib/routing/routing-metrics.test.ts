import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import { ModelRouting } from '../../../lib/routing/model-routing.ts'
import { RoutingMetrics } from '../../../lib/routing/routing-metrics.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

describe('RoutingMetrics', () => {
  it('counts decisions and their results, and exports learnt values', async () => {
    const metrics = new Metrics()
    const models: ModelRouting[] = []
    const routing = new RoutingMetrics(metrics, () => models)
    const model = new ModelRouting('m', new ManualClock(), { tokensPerByte: 0.25 }, {
      ...routing,
      placed() {},
    } as never)
    model.of(new Backend('m', backendConfig({ url: 'http://gpu/v1' }), new ManualClock()))
    models.push(model)
    routing.decided('m', 'prefix')
    routing.decided('m', 'prefix')
    routing.cached('m', 100, 90)
    routing.firstToken('m', 20, 30)
    const lines = (await metrics.registry.metrics()).split('\n')
    for (const line of [
      'sluiceway_routing_decisions_total{model="m",reason="prefix"} 2',
      'sluiceway_routing_cached_tokens_total{model="m",kind="predicted"} 100',
      'sluiceway_routing_cached_tokens_total{model="m",kind="reported"} 90',
      'sluiceway_routing_first_token_seconds_sum{model="m",kind="predicted"} 0.02',
      'sluiceway_routing_first_token_seconds_sum{model="m",kind="measured"} 0.03',
      'sluiceway_routing_tokens_per_byte{model="m"} 0.25',
      'sluiceway_routing_prefill_tokens_per_second{model="m",backend="http://gpu/v1"} 30000',
      'sluiceway_routing_decode_step_seconds{model="m",backend="http://gpu/v1"} 0.006',
      'sluiceway_routing_floor_seconds{model="m"} 0',
      'sluiceway_routing_cache_tokens{model="m",backend="http://gpu/v1"} 400000',
    ])
      expect(lines).include(line)
  })
})
