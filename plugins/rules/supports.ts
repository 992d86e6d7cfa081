import type { ChatCapabilities, Target } from '../../lib/plugin.ts'

/** Whether the backends that may serve this request can do it: what the ZDR partition says goes before the card. */
export function supports({ model, zdr }: Target, capability: keyof ChatCapabilities): boolean {
  const { chat_completions: card, zdr: differences } = model.capabilities
  return (zdr ? differences[capability] : undefined) ?? card[capability]
}
