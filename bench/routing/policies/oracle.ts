/** The rule of `cost` with the true caches, queues and speeds. */
import { prefillWork } from '../../../lib/routing/model-beliefs.ts'
import type { EngineJob, EngineModel } from '../../../simulator/engine-model.ts'
import { lowest, type PolicyContext, type RunningPolicy } from './policy.ts'

/** Constants of the yardstick. They do not follow changes of lib/routing/cost.ts. */
const STEPS_PER_ANSWER = 5 / 8
const KV_WEIGHT = 3

export function oracle({ engines, random }: PolicyContext): RunningPolicy {
  return {
    choose: (candidates, { job }) => lowest(candidates, random, backend => trueCost(engines.of(backend), job)),
  }
}

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
