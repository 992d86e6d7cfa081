import { prefillWork } from '../../lib/routing/backend-speed.ts'
import type { EngineJob, EngineModel } from '../../simulator/engine-model.ts'

/** As the policy `cost` counts them. */
const ANSWER_PRICE = 5 / 8
const KV_PRICE = 3

/** What a job costs at an engine, in milliseconds, by the true cache, queue and speed. */
export function trueCost(engine: EngineModel, job: EngineJob): number {
  const { speed } = engine
  const known = (one: EngineJob, andPending: boolean) =>
    Math.min(engine.cachedBlocks(one.blocks, andPending) * speed.blockTokens, one.promptTokens - 1)
  let work = prefillWork(known(job, true), job.promptTokens)
  for (const other of engine.unanswered)
    work += prefillWork(Math.max(other.done, known(other, false)), other.promptTokens)
  const step = speed.overheadMs + speed.weightsMs
  return work * speed.tokenMs + ANSWER_PRICE * step * engine.answers + KV_PRICE * speed.kvMs * engine.promptTokens
}
