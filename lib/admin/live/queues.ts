/** The queues of models, for operators. */
import type { BackendPool } from '../../backends/pool.ts'

/** The requests that wait for a backend of a model. */
export interface QueueFacts {
  readonly model: string
  readonly waiting: number
}

interface Queued {
  readonly pool: Pick<BackendPool, 'models'>
  readonly queues: { size(model: string): number }
}

/** Of this process, for each model with a queue. */
export function queueFacts({ pool, queues }: Queued): QueueFacts[] {
  const models = new Set<string>()
  for (const { config } of pool.models()) if (config.queue !== undefined) models.add(config.id)
  return Array.from(models, model => ({ model, waiting: queues.size(model) }))
}

/** The sums of several processes. */
export function sumQueues(all: readonly QueueFacts[]): QueueFacts[] {
  return Array.from(
    Map.groupBy(all, ({ model }) => model),
    ([model, own]) => ({ model, waiting: own.reduce((sum, { waiting }) => sum + waiting, 0) }),
  )
}
