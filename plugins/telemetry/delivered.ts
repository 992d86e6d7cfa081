import type { FinishPhase } from '../../lib/plugin.ts'

/** The request was sent, and the client received a part of its reply or disconnected while it waited. */
export function isDelivered({
  outcome,
  requestSent,
  brokeMidStream,
}: Pick<FinishPhase, 'outcome' | 'requestSent' | 'brokeMidStream'>): boolean {
  return requestSent && (outcome !== 'failed' || brokeMidStream)
}
