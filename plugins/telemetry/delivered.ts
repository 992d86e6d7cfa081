import type { FinishPhase } from '../../lib/plugin.ts'

/**
 * The request was sent, and the client received a part of its reply or disconnected while it waited. What the backend
 * did for an aborted line of a batch is not delivered.
 */
export function isDelivered({
  outcome,
  requestSent,
  brokeMidStream,
  surface,
}: Pick<FinishPhase, 'outcome' | 'requestSent' | 'brokeMidStream' | 'surface'>): boolean {
  if (surface === 'batch') return requestSent && outcome === 'done'
  return requestSent && (outcome !== 'failed' || brokeMidStream)
}
