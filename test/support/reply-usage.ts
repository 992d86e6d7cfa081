import type { ReplyUsage } from '../../plugins/slots.ts'
import { newUsage } from '../../plugins/telemetry/usage/index.ts'

/** The usage of a reply that has shown nothing but these members. */
export function usageOf(members: Partial<ReplyUsage> = {}): ReplyUsage {
  return { ...newUsage(), ...members }
}
