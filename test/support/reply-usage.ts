import type { ReplyUsage } from '../../plugins/slots.ts'
import { newUsage } from '../../plugins/telemetry/usage/index.ts'

/** The usage of a reply in which only these members are known. */
export function usageOf(members: Partial<ReplyUsage> = {}): ReplyUsage {
  return { ...newUsage(), ...members }
}
