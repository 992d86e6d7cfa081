import type { Meter } from '../../plugins/slots.ts'
import { newMeter } from '../../plugins/telemetry/usage/index.ts'

/** A meter that has seen nothing, but for these members. */
export function meterOf(members: Partial<Meter> = {}): Meter {
  return { ...newMeter(), ...members }
}
