import type { ModelConfig, Target } from '../../lib/plugin.ts'

type Capability = keyof ModelConfig['capabilities']['chat_completions']

/** Whether the backends of the request have a capability. Under zero data retention, `zdr` of the card wins. */
export function supports({ model, zdr }: Target, capability: Capability): boolean {
  const { chat_completions: card, zdr: differences } = model.capabilities
  return (zdr ? differences[capability] : undefined) ?? card[capability]
}
