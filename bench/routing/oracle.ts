import { prefillWork } from '../../lib/routing/model-beliefs.ts'
import type { EngineJob, EngineModel } from '../../simulator/engine-model.ts'

/** The constants of the policy `cost` (lib/routing/cost.ts). */
const STEPS_PER_ANSWER = 5 / 8
const KV_WEIGHT = 3

/** The cost of a job at an engine, in milliseconds, computed from its true cache, queue and speed. */
export function trueCost(engine: EngineModel, job: EngineJob): number {
  const { speed } = engine
  const attentionTokens = speed.tokenMs / speed.pairMs
  const known = (one: EngineJob, andPending: boolean) =>
    Math.min(engine.cachedBlocks(one.blocks, andPending) * speed.blockTokens, one.promptTokens - 1)
  let work = prefillWork(known(job, true), job.promptTokens, attentionTokens)
  for (const other of engine.unanswered)
    work += prefillWork(Math.max(other.done, known(other, false)), other.promptTokens, attentionTokens)
  const step = speed.overheadMs + speed.weightsMs
  return work * speed.tokenMs + STEPS_PER_ANSWER * step * engine.answers + KV_WEIGHT * speed.kvMs * engine.promptTokens
}
