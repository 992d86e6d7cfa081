import type { Hooks } from '../../lib/core/plugin.ts'
import { testServices } from '../../lib/testing.ts'
import type { ReplyUsage } from '../../plugins/slots.ts'
import usagePlugin from '../../plugins/telemetry/usage/index.ts'

/** The usage of a reply that has not started. */
export function newUsage(): ReplyUsage {
  let made: ReplyUsage | undefined
  const set = (_slot: unknown, value: ReplyUsage) => {
    made = value
  }
  const { onBody } = usagePlugin.setup({}, testServices()) as Hooks
  void onBody!({ set } as never)
  return made!
}

/** The usage of a reply in which only these members are known. */
export function usageOf(members: Partial<ReplyUsage> = {}): ReplyUsage {
  return { ...newUsage(), ...members }
}
