import type { ModelConfig, Target } from '../../lib/plugin.ts'

type Capability = keyof ModelConfig['capabilities']['chat_completions']

/** Whether the backends that may serve this request have a capability. `zdr` of the model card takes precedence with zero data retention. */
export function supports({ model, zdr }: Target, capability: Capability): boolean {
  const { chat_completions: card, zdr: differences } = model.capabilities
  return (zdr ? differences[capability] : undefined) ?? card[capability]
}
